"""`python -m examples.fleet`: exit code 0 when every task is accounted for, and nothing is left behind."""

from __future__ import annotations

import asyncio
import logging
import sys
import warnings

from .boards import Board
from .local_cluster import LocalCluster
from .show import Show


def main() -> int:
    """Play the demo."""
    if sys.platform != "linux":
        sys.stderr.write("the demo of the fleet needs Linux: it looks for processes in /proc\n")
        return 2
    warnings.simplefilter("ignore")
    logging.getLogger("supervisor.fleet").setLevel(logging.ERROR)
    board = Board()
    board.say("Three nodes of a Ray cluster start on this machine.")
    cluster = LocalCluster()
    try:
        show = Show(cluster, board)
        asyncio.run(show.play())
        show.look_for_browsers()
    finally:
        left = cluster.close()
    return show.summary(left)


if __name__ == "__main__":
    raise SystemExit(main())
