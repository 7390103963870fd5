"""A fleet on three nodes of this machine, one of which is killed: `python -m examples.fleet`."""
