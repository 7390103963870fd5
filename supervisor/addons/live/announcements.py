"""The live views of this user that run now: a private folder with a file for each.

A view locks its file for as long as its process lives, so a file without a lock belongs to a process that was killed.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode
from supervisor.driver.controls import views_folder
from supervisor.http_server import is_loopback

_LOCKED_BYTE = 1 << 20
"""Beyond the contents of a file: Windows lets nobody else read a byte that is locked."""


class AnnouncedView(Struct, frozen=True, kw_only=True):
    """A live view that runs now."""

    id: str
    name: str
    """For people, for example the command that serves it."""
    url: str
    """Its address on loopback, without the token."""
    token: str
    pid: int

    def __repr__(self) -> str:
        return f"<AnnouncedView {self.name!r} {self.url}>"


@contextmanager
def announce(name: str, url: str, token: str) -> Generator[None]:
    """List a live view for the length of the block, so that `cdp-agent live` shows it beside the others.

    Only this user can read the file with the token: mode 0600, in a folder with 0700; on Windows it is in the user's
    folder for temporary files. Raises `ValueError` for an address that is not on loopback, and `OSError` when the
    folder is not private.
    """
    if not is_loopback(urlsplit(url).hostname or ""):
        raise ValueError("only a live view on loopback is announced")
    view = AnnouncedView(id=secrets.token_hex(8), name=name, url=url, token=token, pid=os.getpid())
    path = _folder() / f"{view.id}.json"
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        _lock(descriptor)  # before it is written: an empty file is none
        os.write(descriptor, msgspec.json.encode(view))
        yield
    finally:
        os.close(descriptor)
        _remove(path)


def announced() -> tuple[AnnouncedView, ...]:
    """Return the live views that run now, by name. Removes the files of processes that were killed.

    Raises `OSError` when the folder is not private.
    """
    views = (_read(path) for path in _folder().glob("[!.]*.json"))
    return tuple(sorted((view for view in views if view is not None), key=lambda view: (view.name, view.id)))


def _read(path: Path) -> AnnouncedView | None:
    """Return the view of a file; None when it has ended."""
    with suppress(FileNotFoundError, msgspec.DecodeError):
        with path.open("rb") as file:
            written = file.read()
            if not written or _is_locked(file.fileno()):
                return decode(written, type=AnnouncedView)
        _remove(path)
    return None


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # Windows removes no open file: who reads it next removes it
        path.unlink()


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _is_locked(descriptor: int) -> bool:
    """Whether a process that lives has locked a file."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


def _folder() -> Path:
    """Return the folder, and make it first if need be."""
    folder = views_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    if sys.platform != "win32":
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise PermissionError(f"{folder} is not a folder that only this user can enter")
    return folder
