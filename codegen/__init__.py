"""Build-time generator: the vendored protocol schema in, the package `cdp_typed.protocol` out."""
