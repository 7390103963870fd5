"""HAR files: the document of what a page loads, and the answers in one."""
