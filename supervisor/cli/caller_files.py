"""Files that commands write for their caller."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from cdp_typed.cli.arguments import UsageError
from supervisor.cli.exit_codes import Failed
from supervisor.saved_state.named_files import FILES
from supervisor.saved_state.private_files import write

FOLDER = ".cdp-agent"
"""Beside the caller: long pages, pictures, reports."""


def place_beside(folder: str) -> Path:
    """The folder for files beside the caller, which is made where there is none; git ignores it.

    Raises `OSError`, also for a folder that is a link: it may lead anywhere.
    """
    place = Path(folder, FOLDER)
    if place.is_symlink():
        raise FileExistsError(errno.EEXIST, "it is a link; remove it", str(place))
    place.mkdir(mode=0o700, exist_ok=True)
    ignored = place / ".gitignore"
    if not os.path.lexists(ignored):  # a link that leads nowhere is one, too
        ignored.write_text("*\n")
    return place


def free_path(name: str, suffix: str, folder: str = ".") -> Path:
    """A new name in the folder for files beside the caller. Raises as `place_beside`."""
    place = place_beside(folder)
    stems = [path.stem.rpartition("-")[2] for path in place.glob(f"{name}-*.*")]
    number = 1 + max((int(stem) for stem in stems if stem.isdecimal()), default=0)
    return place / f"{name}-{number}.{suffix}"


@contextmanager
def files_beside(folder: str, named: str | None = None) -> Generator[None]:
    """Have tools write their files beside the caller, or in the folder of the file that the caller named.

    Without such a file: not if `CDP_FILES_FOLDER` names another folder, nor if the folder beside the caller is a link
    or cannot be written.
    """
    place, before = Path(folder, FOLDER), os.environ.get(FILES)
    is_writable = os.access(place if place.is_dir() else folder, os.W_OK)
    if named is None and (before is not None or place.is_symlink() or not is_writable):
        yield
        return
    os.environ[FILES] = str(place if named is None else Path(named).parent)
    try:
        yield
    finally:
        del os.environ[FILES]
        if before is not None:
            os.environ[FILES] = before
        hide_files(folder)


def hide_files(folder: str) -> None:
    """Have git ignore the files beside the caller, if there are some."""
    if Path(folder, FOLDER).is_dir():
        with suppress(OSError):  # the command was done, and its answer names the file
            place_beside(folder)


def save_report(output: Path, text: str, recording: Path) -> None:
    """Write a file that only its owner can read (mode 0600). It replaces a file of that name, except a recording."""
    if output.exists() and recording.exists() and output.samefile(recording):
        raise UsageError(f"{output} is the recording itself")
    try:
        write(output, text.encode())
    except OSError as error:
        wrong = UsageError if isinstance(error, FileNotFoundError) else Failed
        raise wrong(f"{output}: {error.strerror}") from None
