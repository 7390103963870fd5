"""The command `fleet`."""
