"""Runs a program of several commands: from the words of its command line to an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import TextIO

from cdp_typed.cli.arguments import UsageError, complain, warn
from cdp_typed.errors import EndpointError
from cdp_typed.spelling import did_you_mean

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
_ENDINGS = ("SIGTERM", "SIGHUP")
"""Signals from `timeout`, `docker stop`, systemd and a closed terminal. Windows has no SIGHUP."""


@dataclass(frozen=True, kw_only=True)
class CommandRunner:
    """A program of several commands, with its name, help and errors."""

    name: str
    commands: Mapping[str, str]
    """The module of each command, which has a function `run(arguments) -> exit code`."""
    help: str
    version: Callable[[], str]
    notes: tuple[type[Warning], ...]
    """The warnings that are shown, each on a line."""
    failures: tuple[type[Exception], ...]
    """The exceptions that are printed on one line; any other is a bug of the program."""
    misuses: tuple[type[Exception], ...] = ()
    """Those among the failures that mean wrong usage."""
    interruption: str | None = None
    """The message after Ctrl-C; none by default."""

    def main(self, arguments: list[str]) -> int:
        """Run a command and return the exit code: 0 done, 1 failed, 2 wrong usage or endpoint, 130 interrupted.

        SIGTERM and SIGHUP end it in order with `SystemExit`, whose code is 143 or 129.
        """
        try:
            with _ended_in_order():
                return self._run(arguments)
        except KeyboardInterrupt:
            if self.interruption is not None:
                complain(KeyboardInterrupt(self.interruption), program=self.name)
            return INTERRUPTED
        except BrokenPipeError:  # the reader, for example `head`, has exited
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return OK
        except (UsageError, EndpointError) as error:
            complain(error, program=self.name)
            return USAGE
        except self.failures as error:
            complain(error, program=self.name)
            return USAGE if isinstance(error, self.misuses) else FAILED

    def _run(self, arguments: list[str]) -> int:
        for at, word in enumerate(arguments, 1):
            if not word.isprintable() and any("\udc80" <= character <= "\udcff" for character in word):
                raise UsageError(f"argument {at} is not valid UTF-8")
        name = arguments[0] if arguments else ""
        if name in self.commands:
            run: Callable[[list[str]], int] = import_module(self.commands[name]).run
            with warnings.catch_warnings():
                for shown in self.notes:
                    warnings.simplefilter("always", shown)
                warnings.showwarning = self._show_warning
                return run(arguments[1:])
        if name in ("-h", "--help"):
            sys.stdout.write(self.help)
            return OK
        if name == "--version":
            sys.stdout.write(f"{self.name} {self.version()}\n")
            return OK
        if not name:
            raise UsageError(f"a command is missing: {', '.join(self.commands)} (see {self.name} --help)")
        raise UsageError(f"no command {name!r}{did_you_mean(name, self.commands)} (see {self.name} --help)")

    def _show_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Print a warning as one line, without the place in the library where it was raised."""
        warn(str(message), program=self.name)


@contextmanager
def _ended_in_order() -> Generator[None]:
    """Let signals that would end the process at once end it as an exception does, so that its browser ends with it.

    One that the process was started to ignore (`nohup`) stays ignored.
    """
    can_set = threading.current_thread() is threading.main_thread()
    signals = [getattr(signal, name) for name in _ENDINGS if can_set and hasattr(signal, name)]
    ours = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, _end)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
