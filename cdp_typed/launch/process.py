"""A browser process with its helper processes and its files, and their end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from cdp_typed.errors import LaunchError
from cdp_typed.launch.parent_watch import ParentWatch
from cdp_typed.launch.profiles import Profile

_POLITE_S = 3.0
"""Seconds for the browser to end after SIGTERM; headless Chromium 156 takes about 0.1 s."""
_WRITING_S = 10.0
"""Seconds for a browser whose profile stays to write it."""
_KILLED_S = 5.0
"""Seconds for killed processes to disappear, and for the files that they still write to be removable."""
_STEP_S = 0.01
_MARK = "CDP_TYPED_LAUNCH"
"""An environment variable that marks the browser's processes, also those that left its process group."""
_MOVE_PIPE = ("/bin/sh", "-c", 'exec "$@" 3<&0 4<&0 0</dev/null', "sh")
"""Moves standard input to descriptors 3 and 4, in a shell: code between fork and exec is not safe with threads."""
_LOG_CHARACTERS = 16_384
_LOG_LINES = 20


class Process:
    """A started browser in its own process group, with a private directory for its files.

    The directory holds the profile unless that stays, the browser's own temporary files, and `log` (its output);
    `end()` removes it. The browser gets `environment` with a mark, on Linux with its own TMPDIR, too. With `pipe`, it
    has that socket as its file descriptors 3 and 4. Raises `LaunchError` when the program cannot be executed.
    """

    def __init__(
        self,
        executable: Path,
        args: Sequence[str],
        environment: Mapping[str, str],
        profile: Profile,
        pipe: socket.socket | None = None,
    ) -> None:
        self.root: Path = Path(tempfile.mkdtemp(prefix=f"cdp-typed-{os.getpid()}-"))
        self._log = self.root / "log"
        self._profile_stays = profile.path is not None
        # A forked child that inherits this object must not end its parent's browser.
        self._owner = os.getpid()
        self._is_over = False
        try:
            self.profile: Path = profile.prepare(self.root)
            (self.root / "tmp").mkdir()
            # Before the browser, so that there is no moment in which a killed Python would leave it behind.
            self._watch = ParentWatch(self.root, self._mark)
            started: subprocess.Popen[bytes] | None = None
            try:
                command = [str(executable), f"--user-data-dir={self.profile}", *args]
                self._popen = started = self._spawn(command, environment, pipe)
                self._watch.follow(started.pid)
            except BaseException:
                if started is not None:
                    started.kill()
                    started.wait()
                self._watch.close()
                raise
        except OSError as error:
            _remove(self.root)
            raise LaunchError(f"{executable} could not be started: {error.strerror or error}") from error
        except BaseException:
            _remove(self.root)
            raise

    @property
    def pid(self) -> int:
        """The browser's process id; on POSIX its process group has the same number."""
        return self._popen.pid

    def exit_status(self) -> int | None:
        """Return the browser's exit status (negative: the signal), or `None` while it runs."""
        return self._popen.poll()

    def log(self) -> str:
        """Return the text that the browser has printed."""
        try:
            return self._log.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def log_tail(self) -> str:
        """Return the last lines that the browser printed: at most 20 lines, 16,384 characters."""
        return "\n".join(self.log()[-_LOG_CHARACTERS:].splitlines()[-_LOG_LINES:])

    def end(self) -> None:
        """End the browser and its helper processes and remove the directory. May be called again, and from `atexit`.

        A directory that cannot be removed is reported with a `ResourceWarning`.
        """
        if os.getpid() != self._owner or self._is_over:
            return
        try:
            # On Windows there is no way to ask: what ends the first process leaves the others behind.
            if self._popen.returncode is None and sys.platform != "win32":  # pragma: no branch - on Windows
                self._ask_to_end()
        finally:  # a second Ctrl-C ends the wait for SIGTERM, but the processes are still killed
            self._watch.end_job()
            _kill(self._popen, self._mark)
            try:
                _remove(self.root)
            finally:
                self._watch.close()
            self._is_over = True

    def _ask_to_end(self) -> None:
        # Measured on Chromium 156: after SIGTERM it ends in 0.03 s without writing the last cookies; after SIGINT it
        # takes 0.3 s and writes them.
        if self._profile_stays:
            self._popen.send_signal(signal.SIGINT)
            wait_s = _WRITING_S
        else:
            self._popen.terminate()
            wait_s = _POLITE_S
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(wait_s)

    @property
    def _mark(self) -> str:
        return f"{_MARK}={self.root}"

    def _spawn(
        self, command: list[str], environment: Mapping[str, str], pipe: socket.socket | None
    ) -> subprocess.Popen[bytes]:
        if pipe is not None:
            command = [*_MOVE_PIPE, *command]
        environ = {**environment, _MARK: str(self.root)}
        if sys.platform == "linux":  # pragma: no branch - the tests run on Linux
            # Chromium keeps its singleton socket in TMPDIR and leaves it there when it is killed. Not on macOS: its
            # long temporary paths would exceed what a socket address can hold.
            environ["TMPDIR"] = str(self.root / "tmp")
            # Without these, files in the user's home are left: crash reports of Chromium, and a file of dconf.
            environ["BREAKPAD_DUMP_LOCATION"] = str(self.root / "tmp")
            environ.setdefault("XDG_RUNTIME_DIR", str(self.root / "tmp"))
        with self._log.open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if pipe is None else pipe.fileno(),
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environ,
                # Its own session: a Ctrl-C in the terminal reaches only Python, which then ends the browser in
                # order, and wrapper scripts (Debian's /usr/bin/chromium) are ended together with what they start.
                start_new_session=True,
            )


if sys.platform == "win32":  # pragma: no cover - the tests run on Linux

    def _kill(popen: subprocess.Popen[bytes], mark: str) -> None:
        """Wait for the browser, whose job has ended. The mark serves on Linux only."""
        popen.wait()

else:

    def _kill(popen: subprocess.Popen[bytes], mark: str) -> None:
        """Kill the rest of the browser's process group, and wait until it is gone."""
        _kill_group(popen.pid)
        popen.wait()
        give_up = time.monotonic() + _KILLED_S
        while _survivors(popen.pid, mark) and time.monotonic() < give_up:
            time.sleep(_STEP_S)

    def _kill_group(group: int) -> bool:
        """Kill the group; return False if it has no process. macOS answers EPERM when only zombies are left."""
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _survivors(group: int, mark: str) -> bool:
        """Kill the processes that still run; return True if there was any.

        On Linux, zombies that are never reaped (usual in containers) do not count, and processes that left the group
        but carry the mark in their environment do: Chromium's crash handlers are in their own sessions.
        """
        if sys.platform != "linux":  # pragma: no cover - the tests run on Linux
            return _kill_group(group)
        living = [folder for folder in Path("/proc").glob("[0-9]*") if _is_ours(folder, group, mark)]
        for folder in living:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(folder.name), signal.SIGKILL)
        return bool(living)


def _is_ours(folder: Path, group: int, mark: str) -> bool:
    """Return True if the process of this folder in /proc runs and is in the group or carries the mark."""
    try:
        # pid (name) state parent group ...: the name may hold anything, even a bracket.
        state, _, its_group = (folder / "stat").read_text(errors="replace").rpartition(") ")[2].split()[:3]
        if state in "ZX":
            return False
        return int(its_group) == group or mark.encode() in (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # it ended meanwhile, or belongs to another user
        return False


def _remove(root: Path) -> None:
    give_up = time.monotonic() + _KILLED_S
    while True:
        try:
            shutil.rmtree(root)
        except FileNotFoundError:
            # Removed already, or a dying process removed a file in it meanwhile: then try again.
            if not root.exists():
                return
        except OSError as error:
            if time.monotonic() >= give_up:
                warnings.warn(f"{root} could not be removed: {error}", ResourceWarning, stacklevel=2)
                return
            time.sleep(_STEP_S)
        else:
            return
