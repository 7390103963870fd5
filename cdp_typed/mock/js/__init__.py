"""The small, documented part of JavaScript that pages of the mock understand: see `parser` and `interpreter`."""
