"""The toolset `browser-read`: a page as Markdown, or as a file."""
