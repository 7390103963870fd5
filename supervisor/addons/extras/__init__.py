"""The toolset `browser-extras`: what a developer does with a page now and then."""
