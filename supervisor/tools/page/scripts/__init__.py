"""Scripts of callers: in frames with elements, and in workers."""
