"""The command `fleet`: a fleet seen from the command line."""
