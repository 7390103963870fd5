"""Runs a program of several commands: from the words of its command line to an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TextIO

from cdp_typed.cli.arguments import UsageError, complain, warn
from cdp_typed.ending_signals import exit_in_order
from cdp_typed.spelling import did_you_mean

OK, INTERRUPTED = 0, 130


@dataclass(frozen=True, kw_only=True)
class CommandRunner:
    """A program of several commands, with its name, help and errors."""

    name: str
    commands: Mapping[str, str]
    """The module of each command, which has a function `run(arguments) -> exit code`."""
    help: Callable[[], str]
    version: Callable[[], str]
    notes: tuple[type[Warning], ...]
    """The warnings that are shown, each on a line."""
    code_of: Callable[[Exception], int | None]
    """The exit code for an exception that is printed on one line; None for one that is a bug of the program."""
    interruption: str | None = None
    """The message after Ctrl-C; none by default."""

    def main(self, arguments: list[str]) -> int:
        """Run a command and return the exit code: 0 done, 130 interrupted, or that of the exception.

        SIGTERM and SIGHUP end it in order with `SystemExit`, whose code is 143 or 129, unless they were ignored before.
        """
        try:
            with exit_in_order():
                return self._run(arguments)
        except KeyboardInterrupt:
            # Dataclasses and named tuples are made with `exec`. CPython ends a program that was started with -m by
            # SIGINT, whatever its exit code, when this exception left an `exec` of a text and no other one ran since.
            exec("")
            if self.interruption is not None:
                complain(KeyboardInterrupt(self.interruption), program=self.name)
            return INTERRUPTED
        except BrokenPipeError:  # the reader, for example `head`, has exited
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return OK
        except Exception as error:
            code = self.code_of(error)
            if code is None:
                raise
            complain(error, program=self.name)
            return code

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
            sys.stdout.write(self.help())
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
