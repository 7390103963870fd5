"""The start of a session's process, which gets a socket that listens already: no client comes too early."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from cdp_agent import LOST, NoAnswer, check_folder, new_socket, socket_path

from .locking import locked

_TRIES = 5
_BACKLOG = 64


def start_session(folder: str, key: str) -> socket.socket:
    """A socket to the session, which is started unless another client has done so meanwhile.

    Raises `NoAnswer` for a folder that is not this user's alone.
    """
    for _ in range(_TRIES):  # a session that ends removes an empty folder
        Path(folder).mkdir(mode=0o700, exist_ok=True)
        check_folder(folder)
        try:
            with locked(folder):
                return _joined(folder, key) or _started(folder, key)
        except FileNotFoundError:
            continue
    raise NoAnswer(f"{folder} is being removed again and again", LOST)


def _joined(folder: str, key: str) -> socket.socket | None:
    wire = new_socket()
    try:
        wire.connect(socket_path(folder, key))
    except ConnectionRefusedError:
        wire.close()
        Path(socket_path(folder, key)).unlink()  # its process was killed
    except FileNotFoundError:
        wire.close()
    else:
        return wire
    return None


def _started(folder: str, key: str) -> socket.socket:
    path = Path(socket_path(folder, key))
    private = path.with_suffix("")
    private.mkdir(mode=0o700, exist_ok=True)
    with new_socket() as listening:
        listening.bind(os.fspath(path))
        path.chmod(0o600)
        listening.listen(_BACKLOG)
        with (private / "log").open("wb") as log:
            # -P: a folder named supervisor in the caller's work tree must not be imported.
            command = [
                sys.executable,
                "-P",
                "-m",
                "supervisor.agent_cli.background.process",
                str(listening.fileno()),
                key,
                folder,
            ]
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                pass_fds=[listening.fileno()],
                start_new_session=True,
            )
    wire = new_socket()
    wire.connect(os.fspath(path))
    return wire
