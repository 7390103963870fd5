"""A call's way: arguments, policy, handler, result, redaction; schemas and toolsets."""
