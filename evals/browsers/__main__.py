"""Fetches browsers, or plays the scenarios on them and writes what was measured into docs/browsers.md."""

from __future__ import annotations

import argparse
import sys

from evals.browsers.catalogue import BROWSERS
from evals.browsers.fetching import executable
from evals.browsers.measuring import measure_browser
from evals.browsers.table import read_measured, write_measured


def main() -> int:
    """The exit status: 1 if a scenario failed that should not."""
    parser = argparse.ArgumentParser(prog="python -m evals.browsers", description=__doc__)
    parser.add_argument("work", choices=["fetch", "measure"])
    parser.add_argument("browsers", nargs="*", metavar="BROWSER", help=f"of {', '.join(BROWSERS)} (default: all)")
    given = parser.parse_args()
    has_failed = False
    for name in given.browsers or BROWSERS:
        sys.stdout.write(f"{name}: {executable(BROWSERS[name])}\n")
        sys.stdout.flush()
        if given.work == "measure":
            measured = measure_browser(name)
            write_measured({**read_measured(), name: measured})
            has_failed = has_failed or bool(measured.failures)
            sys.stdout.write("".join(f"  {test}: {words}\n" for test, words in measured.failures.items()))
    return int(has_failed)


sys.exit(main())
