"""The toolset `browser-verify`: one tool that checks a page."""
