"""The program `cdp-agent`: a browser for coding agents, from a shell. `cdp-agent --help` lists the commands.

It sends the words of a command over the socket of a session (on Windows a named pipe), prints the answer and exits with
its code. See `supervisor.agent_cli` for the process behind the socket, and for the commands that need no session.
"""

from __future__ import annotations

import os
import sys
import time

from cdp_agent import (
    DIALOG,
    DONE,
    INTERRUPTED,
    LOCAL,
    LOST,
    PROG,
    REFUSED,
    TIMEOUT_S,
    UNSURE,
    VERSION,
    NoAnswer,
    check_folder,
    command_of,
    opening,
    option,
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
FROM_STDIN = ("eval", "run", "type")
"""Commands whose last word can be `-`, for standard input."""


def main(words: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if words is None else words
    command = command_of(words)
    try:
        if command in LOCAL or "--help" in words or "-h" in words or "--version" in words:
            from supervisor.agent_cli.local import run

            return run(words)
        return _ask(command, words)
    except NoAnswer as error:
        sys.stderr.write(f"{PROG}: {error}\n")
        return error.code
    except KeyboardInterrupt:
        if command not in LOCAL:
            sys.stderr.write(f"{PROG}: interrupted; it may have been done\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader, for example `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE


def _ask(command: str, words: list[str]) -> int:
    key, timeout_s = session_key(option(words, "session")), _timeout_of(words)
    given = sys.stdin.buffer.read() if command in FROM_STDIN and words[-1] == "-" else b""
    fields = [VERSION, key, os.getcwd(), str(len(words)), *words]
    body = b"\0".join([*map(os.fsencode, fields), given])
    ends = time.monotonic() + timeout_s + GRACE_S
    with _connected(command, key) as wire:
        try:
            wire.settimeout(timeout_s + GRACE_S)
            wire.sendall(b"%d\n%b" % (len(body), body))
            answer = _read_all(wire, ends)
        except TimeoutError:
            raise NoAnswer(
                f"the session did not answer within {timeout_s:g} s; it may have been done", UNSURE
            ) from None
        except ConnectionError:
            answer = b""
    head, newline, text = answer.partition(b"\n")
    if not newline:
        log = os.path.join(socket_path(runtime_folder(), key)[: -len(".sock")], "log")
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


def _connected(command: str, key: str) -> Wire:
    """A connection to the session, which `open` starts where there is none."""
    folder = runtime_folder()
    try:
        check_folder(folder)
        return reached(socket_path(folder, key))
    except FileNotFoundError:
        reason = f"no session is open for {shown(key)}"
    except ConnectionRefusedError:
        reason = f"the process of the session was killed ({shown(key)})"
    except TimeoutError:
        raise NoAnswer("the session takes no connection; nothing was done", REFUSED) from None
    if command == "close":
        raise NoAnswer(reason, DONE)
    if command != "open":
        from supervisor.agent_cli.local import check_command

        check_command(command)
        raise NoAnswer(f"{reason}; begin with: {opening(key)}", LOST)
    from supervisor.agent_cli.starting import start_session

    return start_session(folder, key)


def _timeout_of(words: list[str]) -> float:
    try:
        return min(max(float(option(words, "timeout") or TIMEOUT_S), 0.0), 3600.0)
    except ValueError:
        return TIMEOUT_S  # the session refuses it


if __name__ == "__main__":
    sys.exit(main())
