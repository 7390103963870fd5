"""The toolset `browser-storage`: cookies and storage of pages."""
