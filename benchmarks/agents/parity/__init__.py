"""Our tool for each tool of other servers. `python -m benchmarks.agents.parity` writes docs/parity.md."""
