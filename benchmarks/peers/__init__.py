"""Clients for `benchmarks.faults`, each behind the same interface, run in a process of its own."""
