"""Other clients, each behind the same small face, run in a process of their own."""
