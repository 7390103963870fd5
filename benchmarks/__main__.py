"""Run every benchmark and print its table; ratios are what counts, the machine's own speed cancels out."""

from __future__ import annotations

import platform

from . import decoding, importing


def main() -> None:
    """All tables, one after the other."""
    print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}; medians of several rounds\n"
    )
    for benchmark in (decoding, importing):
        print(benchmark.report())
        print()


main()
