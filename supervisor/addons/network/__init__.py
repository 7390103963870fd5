"""The toolset `browser-network`: requests of pages, and routes for them."""
