"""The documentation site: its pages from the repository and the code, and the checks of what was built."""
