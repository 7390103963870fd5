"""Events and round trips of clients over loopback."""
