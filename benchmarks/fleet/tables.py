"""All figures of a fleet, one table after the other."""

from __future__ import annotations

from benchmarks.fleet import memory, overhead, scale, simulation, throughput


def report() -> str:
    """Return the tables."""
    return "\n\n".join(part.report() for part in (overhead, throughput, memory, simulation, scale))
