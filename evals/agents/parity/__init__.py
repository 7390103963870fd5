"""Our tool for each tool of other servers. `python -m evals.agents.parity` writes docs/agents.md."""
