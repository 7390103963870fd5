"""Clients for `benchmarks.faults`, each behind the same interface, run in its own process."""
