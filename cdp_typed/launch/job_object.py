"""A job object of Windows: it holds a browser with all its processes, and ends them with this process."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

_KILL_ON_JOB_CLOSE = 0x2000
_EXTENDED_LIMITS = 9
_SET_QUOTA_AND_TERMINATE = 0x0101


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """`JOBOBJECT_EXTENDED_LIMIT_INFORMATION`."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class JobObject:
    """Its processes end with `close`, and when this process ends in whatever way, because the handle closes then.

    Raises `OSError`.
    """

    def __init__(self, kernel32: Any = None) -> None:
        self._kernel32 = _kernel32() if kernel32 is None else kernel32
        self._handle = self._created(self._kernel32.CreateJobObjectW(None, None))
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
        size = ctypes.sizeof(limits)
        self._checked(
            self._kernel32.SetInformationJobObject(self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        )

    def add(self, pid: int) -> None:
        """Put a process into the job; the processes that it starts from now on are in it, too."""
        process = self._created(self._kernel32.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid))
        try:
            self._checked(self._kernel32.AssignProcessToJobObject(self._handle, process))
        finally:
            self._kernel32.CloseHandle(process)

    def close(self) -> None:
        """End the processes of the job. Closing twice is fine."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._kernel32.TerminateJobObject(handle, 1)
            self._kernel32.CloseHandle(handle)

    def _created(self, handle: Any) -> ctypes.c_void_p | None:
        return ctypes.c_void_p(self._checked(handle))  # a plain number would be cut to 32 bits when it is passed

    def _checked(self, result: Any) -> Any:
        if not result:
            code = self._kernel32.GetLastError()
            raise OSError(code, f"the browser cannot be put into a job object (error {code} of Windows)")
        return result


def _kernel32() -> Any:
    if sys.platform != "win32":
        raise OSError("job objects exist on Windows only")
    library = ctypes.WinDLL("kernel32", use_last_error=True)  # pragma: no cover - the tests run on Linux
    for name in ("CreateJobObjectW", "OpenProcess"):  # pragma: no cover
        getattr(library, name).restype = ctypes.c_void_p  # a handle has 64 bits
    return library  # pragma: no cover
