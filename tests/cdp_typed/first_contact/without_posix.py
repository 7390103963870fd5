"""Run first in a Python process, takes from it what Windows does not have, so that using it fails there, too."""

from __future__ import annotations

# What these import of the standard library stays whole: Windows has a standard library of its own.
import asyncio
import concurrent.futures
import http.server
import logging.handlers
import multiprocessing
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import uuid

LOADED = (
    asyncio, concurrent.futures, http.server, logging.handlers, multiprocessing, platform, shutil, subprocess, tempfile,
    uuid,
)  # fmt: skip

_OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG", "chown", "fchmod", "fork", "forkpty"),
    *("getgid", "getpgid", "killpg", "mkfifo", "openpty", "pread", "register_at_fork", "sched_getaffinity", "setpgid"),
    *("setsid", "statvfs", "sysconf", "uname"),
)
_OF_SIGNAL = (
    *("SIGALRM", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGTSTP", "SIGUSR1", "SIGUSR2", "SIGWINCH"),
    *("alarm", "pthread_sigmask", "setitimer"),
)
_MODULES = ("curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")


def take_away() -> None:
    """Delete the attributes and modules that only POSIX has, and asyncio's handlers of signals."""
    sysconfig.get_config_vars()
    for module, names in ((os, _OF_OS), (signal, _OF_SIGNAL)):
        for name in names:
            delattr(module, name)
    for name in _MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # pyright: ignore[reportArgumentType]

    def refuse(*_: object) -> None:
        raise NotImplementedError

    asyncio.SelectorEventLoop.add_signal_handler = refuse  # type: ignore[method-assign,assignment]
