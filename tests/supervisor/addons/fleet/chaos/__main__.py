"""Kills parts of two fleets at random, while they are called: `make fleet-chaos CHAOS="[--small] [--seed N]"`.

No call may hang, no task may be in two places, and nothing may be left behind.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import sys
import time
import warnings
from pathlib import Path

REPOSITORY = Path(__file__).parents[5]
KINDS: tuple[str, ...] = ("node", "host", "browser", "driver", "directory")


def main() -> int:
    """Play the chaos; exit code 0 when all was well."""
    parser = argparse.ArgumentParser(prog="python -m tests.supervisor.addons.fleet.chaos", description=__doc__)
    parser.add_argument("--small", action="store_true", help="one kill of each kind, 10 tasks on mocks, 2 on Chromium")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))

    from .chaos import Chaos  # Ray takes over the environment

    logging.getLogger("supervisor.fleet").setLevel(logging.ERROR)
    began = time.monotonic()
    kills = [*KINDS] * (1 if options.small else 8)
    faults = Chaos(options.seed, kills, tasks={"mock": 10, "chromium": 2} if options.small else None).play()
    for fault in faults:
        sys.stdout.write(f"WRONG: {fault}\n")
    sys.stdout.write(f"seed {options.seed}, {time.monotonic() - began:.0f} s, wrong: {len(faults)}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
