"""The documented subset of JavaScript that pages of the mock may use: see `parser` and `interpreter`."""
