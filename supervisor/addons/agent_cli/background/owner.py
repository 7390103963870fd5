"""The process that a session belongs to: whether it still runs."""

from __future__ import annotations

import os
import sys

from cdp_agent import winapi

_ACCESS_DENIED = 5


def is_running(pid: int) -> bool:
    """Whether this process runs, also when it is another user's."""
    if sys.platform == "win32":  # where os.kill(pid, 0) would send Ctrl-C
        return _runs_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _runs_on_windows(pid: int) -> bool:
    system = winapi()
    try:
        handle = system.OpenProcess(system.SYNCHRONIZE, False, pid)
    except OSError as error:
        return getattr(error, "winerror", 0) == _ACCESS_DENIED
    try:
        return bool(system.WaitForSingleObject(handle, 0) == system.WAIT_TIMEOUT)
    finally:
        system.CloseHandle(handle)
