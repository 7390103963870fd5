"""The start of a session's process.

It gets a socket that listens already, so no client comes too early. On Windows it makes a named pipe itself, and the
client that starts it waits for that.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_agent import LOCAL_WORDS, LOST, REFUSED, NoAnswer, check_folder, reached, socket_path
from supervisor.declarations import commands

from .locking import locked

if TYPE_CHECKING:
    from cdp_agent import Wire

_TRIES = 5
_BACKLOG = 64
_START_S = 30.0
_STEP_S = 0.01


def start_session(folder: str, key: str) -> Wire:
    """A connection to the session, which is started unless another client has done so meanwhile.

    Raises `NoAnswer` for a folder that is not this user's alone or cannot be written, and on Windows if the session
    does not start.
    """
    for _ in range(_TRIES):  # a session that ends removes an empty folder
        Path(folder).mkdir(mode=0o700, parents=sys.platform == "win32", exist_ok=True)
        check_folder(folder)
        try:
            with locked(folder):
                return _joined(folder, key) or _started(folder, key)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise NoAnswer(f"no session can begin in {folder}: {error.strerror}", REFUSED) from None
    raise NoAnswer(f"{folder} is being removed again and again", LOST)


def _joined(folder: str, key: str) -> Wire | None:
    try:
        return reached(socket_path(folder, key))
    except ConnectionRefusedError:
        Path(socket_path(folder, key)).unlink()  # its process was killed
    except FileNotFoundError:
        pass
    except TimeoutError:
        raise NoAnswer("the session takes no connection; nothing was done", LOST) from None
    return None


def _started(folder: str, key: str) -> Wire:
    path = Path(socket_path(folder, key))
    private = path.with_suffix("")
    private.mkdir(mode=0o700, exist_ok=True)
    (private / LOCAL_WORDS).write_text("\n".join(commands()), encoding="utf-8")
    # -P: a folder named supervisor in the caller's work tree must not be imported.
    command = [sys.executable, "-P", "-m", "supervisor.addons.agent_cli.background.process", key, folder]
    with (private / "log").open("wb") as log:
        if sys.platform == "win32":
            # Without a console: its host would hold the log, which the session then cannot remove.
            hidden = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", creationflags=hidden
            )
            return _awaited(process, path, private / "log")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(os.fspath(path))
            path.chmod(0o600)
            listening.listen(_BACKLOG)
            descriptor = listening.fileno()
            subprocess.Popen(
                [*command, str(descriptor)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                pass_fds=[descriptor],
                start_new_session=True,
            )
    return reached(os.fspath(path))


def _awaited(process: subprocess.Popen[bytes], path: Path, log: Path) -> Wire:
    """A connection to the session that this process begins to serve."""
    ends = time.monotonic() + _START_S
    while True:
        try:
            return reached(os.fspath(path))
        except (FileNotFoundError, ConnectionRefusedError):
            pass
        if process.poll() is not None:
            raise NoAnswer(f"the process of the session ended with status {process.returncode} (see {log})", LOST)
        if time.monotonic() > ends:
            process.kill()
            raise NoAnswer(f"the process of the session did not start within {_START_S:g} s (see {log})", LOST)
        time.sleep(_STEP_S)
