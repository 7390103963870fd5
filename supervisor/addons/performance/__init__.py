"""The toolset `browser-performance`: measurements of a page."""
