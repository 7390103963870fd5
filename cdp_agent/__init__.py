"""The sessions of `cdp-agent`: where they are, how to reach one, and which one a command means.

The program (`cdp_agent.program`) starts anew for each command, so both modules import little and nothing of the
packages. The packages import this one.
"""

from __future__ import annotations

import _socket  # `socket` takes as long to import as all the rest of the program
import os
import stat
import sys
import time
import zlib

TYPE_CHECKING = False  # as in `typing`, which would take time to import
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, TypeAlias

    Wire: TypeAlias = "_socket.socket | PipeWire"

PROG = "cdp-agent"
VERSION = "1"
"""The first field of a message: client and session must speak the same."""

DONE, REFUSED, USAGE, DIALOG, UNSURE, LOST, POLICY, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130
"""The exit codes."""

WITH_VALUE = ("--session", "--timeout", "--max")
"""Options of every command that have a value."""
FROM_STDIN = ("eval", "run", "type")
"""Commands whose last word can be `-`, for standard input."""

OPENS = ("open", "goto", "navigate")
"""Commands that start a session: `open`, and its names in other command lines."""

THEN = "then"
"""The word between two commands of one command line."""

MOST_BYTES = 16 * 2**20
"""Bytes of a command with its standard input."""
TIMEOUT_S = 60.0
LONGEST_PATH = 100
"""Bytes of a socket's path; systems allow 103 to 107."""
CONNECT_S = 10.0
"""The wait for a free end of a named pipe, and for the word of the session behind it."""
_STEP_S = 0.01
_NOT_IMPERSONATED = 0x100000
"""SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS: the server of the pipe cannot act as this user."""
_PIPE_BUSY, _PIPE_CLOSED = 231, (109, 232, 233)
"""Error codes of Windows."""

KEPT_POLICY = "policy.json"
"""The file in a session's folder with its restrictions, which hold until it is closed."""
LOCAL_WORDS = "commands"
"""The file beside the socket that names the commands that need no session."""


class NoAnswer(Exception):
    """There is no session, or no answer from it: a message, and the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def reached(path: str) -> Wire:
    """A connection to the session whose file this is.

    Raises `FileNotFoundError` where there is none, `ConnectionRefusedError` when its process was killed, and
    `TimeoutError` on Windows when it takes no connection.
    """
    if sys.platform == "win32":
        return PipeWire(path)
    wire = _socket.socket(_socket.AF_UNIX)
    try:
        wire.connect(path)
    except OSError:
        wire.close()
        raise
    return wire


class PipeWire:
    """A client's end of a named pipe of Windows, with the methods of a socket that clients need.

    The session's file, which only this user can read, holds the name of the pipe and two secrets. The client sends the
    first, and the session answers with the second. So neither mistakes a program of another user for the other.
    """

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            name, sent, expected = file.read().split()
        self._system = winapi()
        self._timeout_s = CONNECT_S
        self._handle = self._opened(name)
        try:
            self.sendall(sent.encode() + b"\n")
            answer = b""
            while len(answer) < len(expected) and (part := self.recv(len(expected) - len(answer))):
                answer += part
        except OSError as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise
            raise ConnectionRefusedError from error
        except BaseException:
            self.close()
            raise
        if answer != expected.encode():
            self.close()
            raise ConnectionRefusedError

    def _opened(self, name: str) -> int | None:
        system, ends = self._system, time.monotonic() + self._timeout_s
        access = system.GENERIC_READ | system.GENERIC_WRITE
        flags = system.FILE_FLAG_OVERLAPPED | _NOT_IMPERSONATED
        while True:
            try:
                handle: int = system.CreateFile(name, access, 0, system.NULL, system.OPEN_EXISTING, flags, system.NULL)
            except FileNotFoundError as error:
                raise ConnectionRefusedError from error
            except OSError as error:
                if getattr(error, "winerror", 0) != _PIPE_BUSY:
                    raise
            else:
                return handle
            if time.monotonic() > ends:
                raise TimeoutError
            time.sleep(_STEP_S)

    def close(self) -> None:
        """Close it. Closing twice is fine."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._system.CloseHandle(handle)

    def settimeout(self, seconds: float) -> None:
        """The longest that each of the following calls may take."""
        self._timeout_s = seconds

    def sendall(self, data: bytes) -> None:
        """Send all of it. Raises `TimeoutError`, `BrokenPipeError`."""
        try:
            operation, _ = self._system.WriteFile(self._handle, data, overlapped=True)
            self._end(operation)
        except OSError as error:
            if getattr(error, "winerror", 0) in _PIPE_CLOSED:
                raise BrokenPipeError from error
            raise

    def recv(self, most: int) -> bytes:
        """Some of what has come; empty when the other side has closed the pipe. Raises `TimeoutError`."""
        try:
            operation, _ = self._system.ReadFile(self._handle, most, overlapped=True)
            self._end(operation)
        except OSError as error:
            if getattr(error, "winerror", 0) in _PIPE_CLOSED:
                return b""
            raise
        return bytes(operation.getbuffer())

    def _end(self, operation: Any) -> None:
        """Wait until it is done; Ctrl-C ends the wait."""
        waited = self._system.WaitForMultipleObjects([operation.event], False, int(self._timeout_s * 1000))
        if waited == self._system.WAIT_TIMEOUT:
            operation.cancel()
            raise TimeoutError
        operation.GetOverlappedResult(True)


def session_key(name: str | None) -> str:
    """The session's identity: its name, or else the work tree that contains the current folder."""
    name = name or os.environ.get("CDP_AGENT_SESSION")
    return f"session:{name}" if name else f"tree:{work_tree()}"


def work_tree() -> str:
    """The folder with `.git` around the current one, or else the current one."""
    here = folder = working_folder()
    if sys.platform == "win32":
        here = folder = os.path.realpath(here)  # c:\x and C:\X are one
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return here
        folder = above
    return folder


def working_folder() -> str:
    """The folder in which the command was called. Raises `NoAnswer` when it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise NoAnswer("the working folder was deleted; nothing was done", REFUSED) from None


def shown(key: str) -> str:
    """The session as it is shown to people."""
    kind, _, name = key.partition(":")
    return name if kind == "tree" else f"session {name!r}"


def opening(key: str) -> str:
    """The command that opens the session."""
    kind, _, name = key.partition(":")
    return f"{PROG} open URL" if kind == "tree" else f"{PROG} --session {name} open URL"


def runtime_folder() -> str:
    """The folder of this user's sessions, which may not exist yet: below `XDG_RUNTIME_DIR`, or a temporary folder.

    On Windows it is below `LOCALAPPDATA`, which the system keeps from other users.
    """
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), PROG)
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if base and os.path.isdir(base) and len(os.fsencode(base)) < LONGEST_PATH - 40:
        return os.path.join(base, PROG)
    base = os.environ.get("TMPDIR", "")
    if not base.startswith("/") or len(os.fsencode(base)) >= LONGEST_PATH - 50:
        base = "/tmp"
    return os.path.join(base, f"{PROG}-{own_uid()}")


def check_folder(folder: str) -> None:
    """Raise `NoAnswer` for a folder that another user made or can use, and `FileNotFoundError` where there is none."""
    found = os.lstat(folder)
    is_private = sys.platform == "win32" or (found.st_uid == own_uid() and not stat.S_IMODE(found.st_mode) & 0o077)
    if not stat.S_ISDIR(found.st_mode) or not is_private:
        raise NoAnswer(f"{folder} must be a folder of yours with mode 0700; remove it or set XDG_RUNTIME_DIR", LOST)


def socket_path(folder: str, key: str) -> str:
    """The socket of a session: a short name, because a path may have 104 bytes on some systems.

    On Windows it is a file that tells how to reach its named pipe: see `PipeWire`.
    """
    data = os.fsencode(key)
    return os.path.join(folder, f"{zlib.crc32(data):08x}{zlib.crc32(data[::-1]):08x}.sock")


def private_folder(folder: str, key: str) -> str:
    """The folder with the files of a session."""
    return socket_path(folder, key)[: -len(".sock")]


def needs_no_session(command: str, folder: str, key: str) -> bool:
    """Whether the session that is open, if any, has noted that it does not take this command."""
    try:
        with open(os.path.join(private_folder(folder, key), LOCAL_WORDS), encoding="utf-8") as file:
            return command in file.read().split()
    except OSError:
        return False


def own_uid() -> int:
    """The user of this process; -1 on Windows, where users have no numbers."""
    if sys.platform == "win32":
        return -1
    return os.getuid()


def winapi() -> ModuleType:
    """The calls of Windows that Python has built in."""
    return __import__("_winapi")


def command_of(words: list[str]) -> str:
    """The command: the first word that is neither an option of all commands nor its value."""
    return next(iter(words[command_at(words) :]), "help")


def command_at(words: list[str]) -> int:
    """The index of the command in the words; their number where they have no command."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in WITH_VALUE else 1
    return min(at, len(words))


def ends_in_input(words: list[str]) -> bool:
    """Whether the last word is `-`, without the options that every command takes."""
    rest = [*words]
    while len(rest) > 2 and rest[-1] != "-":
        if rest[-2] not in WITH_VALUE and rest[-1].partition("=")[0] not in ("--json", *WITH_VALUE):
            return False
        del rest[-2 if rest[-2] in WITH_VALUE else -1 :]
    return rest[-1] == "-"


def option(words: list[str], name: str) -> str | None:
    """The value of an option that every command takes: `--name VALUE` or `--name=VALUE`."""
    for at, word in enumerate(words):
        if word == "--":
            return None
        if word.startswith(f"--{name}="):
            return word.partition("=")[2]
        if word == f"--{name}" and at + 1 < len(words):
            return words[at + 1]
    return None
