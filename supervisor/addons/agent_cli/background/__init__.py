"""The process of a session: `process` starts it, `session_socket` takes commands, `session` runs them."""
