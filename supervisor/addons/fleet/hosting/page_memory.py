"""The memory of a browser's processes on this machine, and the end of pages that take more than they may."""

from __future__ import annotations

import logging
import math
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

from cdp_typed.protocol.system_info import ProcessInfo

_log = logging.getLogger("supervisor.fleet")

LATELY_S = 10.0


class PageMemory:
    """Ends renderers that take too much. Works where `/proc` tells the memory of processes (Linux).

    The protocol does not say which page a renderer has. It does not matter: Chromium gives tasks with separate browser
    contexts separate renderers, and reports the pages of one that ended as crashed.
    """

    def __init__(self, page_mb: int | None) -> None:
        self.browser_mb: int | None = None
        """Of all processes of the browser; None: not known."""
        self.largest_page_mb: int | None = None
        self.ended: int = 0
        """Renderers that took too much."""
        self._page_mb = page_mb
        self._latest = ("", -math.inf)
        """Why a page was ended, and when."""

    @property
    def ended_lately(self) -> str:
        """Why a page was ended in the last seconds; else an empty text."""
        why, at = self._latest
        return why if time.monotonic() - at < LATELY_S else ""

    def look(self, processes: Iterable[ProcessInfo]) -> None:
        """Measure the processes that the browser has now, and end renderers with more than `page_mb`."""
        known = {process.id: resident_mb(process.id) for process in processes}
        pages = {process.id for process in processes if process.type == "renderer"}
        found = {pid: size for pid, size in known.items() if size is not None}
        self.browser_mb = sum(found.values()) if found else None
        self.largest_page_mb = max((size for pid, size in found.items() if pid in pages), default=None)
        for pid in pages & found.keys():
            if self._page_mb is not None and found[pid] > self._page_mb and _end(pid):
                self.ended += 1
                self._latest = (
                    f"a page of this browser took {found[pid]} MiB, more than Hosts(page_mb={self._page_mb})",
                    time.monotonic(),
                )
                _log.error("%s: it was ended", self._latest[0])


def resident_mb(pid: int) -> int | None:
    """Return the resident memory of a process, without the files that it shares; None if that is not known."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    sizes = {
        name: int(rest.split()[0])
        for name, _, rest in (line.partition(":") for line in lines)
        if rest and name in _SIZES
    }
    return sum(sizes.values()) // 1024 if sizes else None


_SIZES = {"RssAnon", "RssShmem"}


def _end(pid: int) -> bool:
    """End a renderer, unless its number has become that of another process."""
    try:
        if b"--type=renderer" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return False
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    except OSError:
        return False
    return True
