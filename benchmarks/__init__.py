"""Figures next to peers, measured in one run: `make bench`, or `python -m benchmarks`."""
