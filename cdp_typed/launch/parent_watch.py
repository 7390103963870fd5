"""A watch over the process that launched a browser: however that ends, also killed, the browser ends with it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from cdp_typed.launch.job_object import JobObject

# A shell, because it costs 2 ms and 1 MB where a second Python costs 30 ms and 10 MB. Its input ends when the last
# process that holds the other end has ended; a line is the browser's process group, or that all is over. Two rounds at
# least: what was about to start, or to write a file, in the first one is met by the second.
#
# The shell's child watches, because some programs kill their children before they end (a worker of Ray 2.60 does when
# its node is lost). The shell itself only waits for it, because nothing else would in a container without an init.
# A command in the background has no input, hence the way through descriptor 3.
_SCRIPT = """
trap '' HUP INT QUIT TERM
watch() {
  while read -r line; do
    if [ "$line" = over ]; then exit; fi
    group=$line
  done
  for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
    if [ "$group" ]; then kill -s KILL -- "-$group"; fi
    for file in $(grep -Fls "$2" /proc/[0-9]*/environ); do
      pid=${file#/proc/}
      kill -s KILL "${pid%/environ}"
    done
    if rm -rf "$1" && [ "$round" -gt 1 ]; then exit; fi
    sleep 0.2
  done
}
group=
exec 3<&0 0</dev/null
watch "$@" <&3 3<&- &
exec 3<&-
wait
"""
_open_ends: set[int] = set()


class ParentWatch:
    """A small process that waits for the end of this one; then it kills the browser and removes its directory.

    It is a child's child, and outlives that. The browser is what has the `mark` in its environment (on Linux), and the
    process group that `follow` names. In its own session, it gets no signal from a terminal. On
    Windows it is a job object instead, whose processes the system ends with this one; the directory stays then. Raises
    `OSError`.
    """

    def __init__(self, root: Path, mark: str) -> None:
        self._popen: subprocess.Popen[bytes] | None = None
        self._end = -1
        self._job = JobObject() if sys.platform == "win32" else None
        if self._job is not None:
            return
        theirs, ours = os.pipe()
        _open_ends.add(ours)
        self._end = ours
        try:
            self._popen = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "sh", str(root), mark],
                stdin=theirs,
                stdout=subprocess.DEVNULL,  # a reader of this process's own output must not wait for the watch
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath)},  # without the mark, for which it kills
                start_new_session=True,
            )
        except BaseException:
            self._let_go()
            raise
        finally:
            os.close(theirs)

    def follow(self, group: int) -> None:
        """Tell the browser's process group, on Windows its first process. Raises `OSError`."""
        if self._job is not None:
            self._job.add(group)
        else:
            self._tell(b"%d\n" % group)

    def end_job(self) -> None:
        """On Windows, end the browser with all that it has started; elsewhere do nothing."""
        if self._job is not None:
            self._job.close()

    def close(self) -> None:
        """End the watch: the browser has ended, and its directory is gone. Closing twice is fine."""
        self.end_job()
        if self._popen is not None:
            self._tell(b"over\n")
            self._popen.wait()
            self._popen = None
            self._let_go()

    def _tell(self, line: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # the watch was ended
            os.write(self._end, line)

    def _let_go(self) -> None:
        _open_ends.discard(self._end)
        os.close(self._end)


def _forget_in_child() -> None:  # pragma: no cover - in processes that are not measured
    """Let a forked child hold no end open: it may outlive its parent."""
    while _open_ends:
        os.close(_open_ends.pop())


if sys.platform != "win32" and hasattr(os, "register_at_fork"):  # pragma: no branch - Windows has no fork
    os.register_at_fork(after_in_child=_forget_in_child)
