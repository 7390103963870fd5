"""A copy of the repository for one fault: links to all files, but for the file that has the fault."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutations.fault_list import Fault, planted_source
from tests.mutations.parts import REPOSITORY

__all__ = ["planted"]


@contextmanager
def planted(fault: Fault) -> Generator[Path]:
    """Make such a copy. Programs that are started in it, with it in `PYTHONPATH`, import the fault; the checkout stays
    unchanged. Raises `PlaceGone`."""
    source = planted_source(fault)
    with TemporaryDirectory(prefix="fault-") as name:
        copy = Path(name)
        folder, original = copy, REPOSITORY
        for part in Path(fault.file).parts:
            for entry in original.iterdir():
                if entry.name not in (part, "__pycache__"):  # byte code of the file itself is not for the fault
                    (folder / entry.name).symlink_to(entry)
            folder, original = folder / part, original / part
            if original.is_dir():
                folder.mkdir()
        folder.write_text(source, "utf-8")
        yield copy
