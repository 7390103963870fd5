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
    PROG,
    REFUSED,
    TIMEOUT_S,
    UNSURE,
    USAGE,
    VERSION,
    NoAnswer,
    check_folder,
    command_of,
    needs_no_session,
    opening,
    option,
    private_folder,
    reached,
    runtime_folder,
    session_key,
    shown,
    socket_path,
)

TYPE_CHECKING = False  # as in `typing`, which would take time to import
if TYPE_CHECKING:
    from cdp_agent import Wire

GRACE_S = 10.0
"""The session ends a command within its timeout. This much later the client waits no longer."""


def main(words: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if words is None else words
    try:
        return _run(command_of(words), words)
    except NoAnswer as error:
        sys.stderr.write(f"{PROG}: {error}\n")
        return error.code
    except KeyboardInterrupt:
        sys.stderr.write(f"{PROG}: interrupted; it may have been done\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader, for example `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE


def _run(command: str, words: list[str]) -> int:
    key, folder = session_key(option(words, "session")), runtime_folder()
    given = sys.stdin.buffer.read() if command in FROM_STDIN and words[-1] == "-" else b""
    wire, trouble = None, None
    if not (_asks_for_help(command, words) or needs_no_session(command, folder, key)):
        try:
            wire = _connected(folder, key)
        except NoAnswer as error:
            trouble = error
    if wire is None:
        from supervisor.cli.local import run

        code = run(words)
        if code is not None:
            return code
        if trouble is not None:
            raise trouble
        wire = _begun(command, folder, key)
    with wire:
        return ask(wire, words, key, folder, given)


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
    if command == "open":
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
    """Let the session run the command, and print its answer."""
    timeout_s = _timeout_of(words)
    fields = [VERSION, key, os.getcwd(), str(len(words)), *words]
    body = b"\0".join([*map(os.fsencode, fields), given])
    if len(body) > MOST_BYTES:
        raise NoAnswer(f"a command takes at most {MOST_BYTES // 2**20} MiB with its standard input", USAGE)
    ends = time.monotonic() + timeout_s + GRACE_S
    try:
        wire.settimeout(timeout_s + GRACE_S)
        wire.sendall(b"%d\n%b" % (len(body), body))
        answer = _read_all(wire, ends)
    except TimeoutError:
        raise NoAnswer(f"the session did not answer within {timeout_s:g} s; it may have been done", UNSURE) from None
    except ConnectionError:
        answer = b""
    head, newline, text = answer.partition(b"\n")
    if not newline:
        log = os.path.join(private_folder(folder, key), "log")
        why = f" (see {log})" if os.path.exists(log) and os.path.getsize(log) else ""
        what = "the session ended during this command, which may have been done"
        raise NoAnswer(f"{what}{why}; begin anew: {opening(key)}", LOST)
    code = int(head)
    out = sys.stdout if code in (DONE, DIALOG) or "--json" in words else sys.stderr
    out.buffer.write(text)
    out.buffer.flush()
    return code


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
        return min(max(float(option(words, "timeout") or TIMEOUT_S), 0.0), 3600.0)
    except ValueError:
        return TIMEOUT_S  # the session refuses it


if __name__ == "__main__":
    sys.exit(main())
