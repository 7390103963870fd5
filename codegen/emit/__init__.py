"""The plan as source text, one kind of module per file."""
