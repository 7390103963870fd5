"""The connection to the browser, and the browser's capabilities."""
