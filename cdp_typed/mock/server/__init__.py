"""Sockets, HTTP, the pipe, threads and the clock around the browser."""
