"""The connection to the browser, and what the browser can do."""
