"""Sans-IO: bytes to values and back, calls in flight, the tree of sessions."""
