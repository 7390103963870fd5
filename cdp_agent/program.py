"""The program `cdp-agent`: a browser for coding agents, from a shell. `cdp-agent --help` lists the commands.

It sends the words of a command over the socket of a session (on Windows a named pipe), prints the answer and exits with
its code. The process behind the socket is in `supervisor.addons.agent_cli`; `supervisor.cli.local` runs the commands
that need no session.
"""

from __future__ import annotations

import os
import sys
import time

from cdp_agent import (
    DIALOG,
    DONE,
    FROM_STDIN,
    INTERRUPTED,
    KEPT_POLICY,
    LOST,
    MOST_BYTES,
    OPENS,
    PROG,
    REFUSED,
    THEN,
    TIMEOUT_S,
    UNSURE,
    USAGE,
    VERSION,
    NoAnswer,
    check_folder,
    command_of,
    ends_in_input,
    needs_no_session,
    opening,
    option,
    private_folder,
    reached,
    runtime_folder,
    session_key,
    shown,
    socket_path,
    working_folder,
)

TYPE_CHECKING = False  # as in `typing`, which would take time to import
if TYPE_CHECKING:
    from typing import TextIO

    from cdp_agent import Wire

GRACE_S = 10.0
"""The session ends a command within its timeout. This much later the client waits no longer."""


def main(words: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if words is None else words
    _fill_descriptors()
    try:
        return _run(command_of(words), words)
    except NoAnswer as error:
        _complain(str(error))
        return error.code
    except KeyboardInterrupt:
        _complain("interrupted; it may have been done")
        return INTERRUPTED
    except (OSError, ValueError) as error:  # `ask` raises neither once it has sent the command
        _complain(str(error))
        return REFUSED


def _fill_descriptors() -> None:
    """Open the null device for standard streams that are closed, so that no socket takes their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number


def _complain(text: str) -> None:
    _printed(f"{PROG}: {text}\n".encode("utf-8", "backslashreplace"), sys.stderr, 2)


def _printed(data: bytes, stream: TextIO | None, descriptor: int) -> str:
    """Print it; returns the reason where that fails."""
    if stream is None:
        return "it is closed"
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)  # Python writes the rest of its buffer at its end
        return error.strerror or "it failed"
    return ""


def _run(command: str, words: list[str]) -> int:
    key, folder = session_key(option(words, "session")), runtime_folder()
    reads = command in FROM_STDIN and ends_in_input(words) and THEN not in words
    given = _read_input() if reads else b""
    wire, trouble = None, None
    if not (_asks_for_help(command, words) or needs_no_session(command, folder, key)):
        try:
            wire = _connected(folder, key)
        except NoAnswer as error:
            trouble = error
    if wire is None:
        code = _run_here(command, words)
        if code is not None:
            return code
        if trouble is not None:
            raise trouble
        wire = _begun(command, folder, key)
    try:
        return ask(wire, words, key, folder, given)
    finally:
        wire.close()


def _run_here(command: str, words: list[str]) -> int | None:
    """The exit code of a command that needs no session; None for another one."""
    from supervisor.cli.local import run

    given = sys.stdout
    with open(os.devnull, "w") as nowhere:
        sys.stdout = given or nowhere
        code = run(words)
        sys.stdout = given
    if code == DONE and _printed(b"", given, 1):
        return REFUSED if _asks_for_help(command, words) else UNSURE
    return code


def _read_input() -> bytes:
    if sys.stdin is None:
        raise NoAnswer("- as the last word means standard input, which is closed", USAGE)
    return sys.stdin.buffer.read()


def _asks_for_help(command: str, words: list[str]) -> bool:
    return command == "help" or "--help" in words or "-h" in words or "--version" in words


def _connected(folder: str, key: str) -> Wire | None:
    """A connection to the session; None where there is none, or its process was killed."""
    try:
        check_folder(folder)
        return reached(socket_path(folder, key))
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except TimeoutError:
        raise NoAnswer("the session takes no connection; nothing was done", REFUSED) from None


def _begun(command: str, folder: str, key: str) -> Wire:
    """A connection to the session that `open` starts. Raises `NoAnswer` for another command."""
    if command in OPENS:
        from supervisor.cli.local import start_session

        return start_session(folder, key)
    was_killed = os.path.exists(socket_path(folder, key))
    reason = "the process of the session was killed ({})" if was_killed else "no session is open for {}"
    if command == "close":
        kept = os.path.join(private_folder(folder, key), KEPT_POLICY)
        if os.path.exists(kept):
            os.unlink(kept)
        raise NoAnswer(reason.format(shown(key)), DONE)
    raise NoAnswer(f"{reason.format(shown(key))}; begin with: {opening(key)}", LOST)


def ask(wire: Wire, words: list[str], key: str, folder: str, given: bytes) -> int:
    """Let the session run the command, and print its answer. Raises `OSError` only before it sends anything."""
    timeout_s = _timeout_of(words)
    fields = [VERSION, key, working_folder(), str(len(words)), *words]
    body = b"\0".join([*map(os.fsencode, fields), given])
    if len(body) > MOST_BYTES:
        raise NoAnswer(f"a command takes at most {MOST_BYTES // 2**20} MiB with its standard input", USAGE)
    try:
        answer = _answer(wire, b"%d\n%b" % (len(body), body), timeout_s + GRACE_S)
        head, newline, text = answer.partition(b"\n")
        code = int(head) if newline else None
    except TimeoutError:
        raise NoAnswer(f"the session did not answer within {timeout_s:g} s; it may have been done", UNSURE) from None
    except (OSError, ValueError) as error:
        raise NoAnswer(f"no answer of the session ({error}); it may have been done", UNSURE) from None
    if code is None:
        log = os.path.join(private_folder(folder, key), "log")
        why = f" (see {log})" if os.path.exists(log) and os.path.getsize(log) else ""
        what = "the session ended during this command, which may have been done"
        raise NoAnswer(f"{what}{why}; begin anew: {opening(key)}", LOST)
    is_told = code in (DONE, DIALOG)
    if not is_told and "--json" not in words:
        _printed(text, sys.stderr, 2)
    elif why := _printed(text, sys.stdout, 1):
        _complain(f"the answer could not be written to standard output: {why}; the command ended with code {code}")
        return UNSURE if is_told else code
    return code


def _answer(wire: Wire, message: bytes, within_s: float) -> bytes:
    """What the session answers to it; empty when its process ends."""
    ends = time.monotonic() + within_s
    try:
        wire.settimeout(within_s)
        wire.sendall(message)
        return _read_all(wire, ends)
    except ConnectionError:
        return b""


def _read_all(wire: Wire, ends: float) -> bytes:
    """What comes until the other side closes the socket. Raises `TimeoutError`."""
    parts: list[bytes] = []
    while True:
        wire.settimeout(max(0.001, ends - time.monotonic()))
        part = wire.recv(65_536)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _timeout_of(words: list[str]) -> float:
    try:
        return min(max(0.0, float(option(words, "timeout") or TIMEOUT_S)), 3600.0)  # in this order, nan is 0
    except ValueError:
        return TIMEOUT_S  # the session refuses it


if __name__ == "__main__":
    sys.exit(main())
