"""Writes `{path: text}` to a directory, or compares it with the directory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple


class Drift(NamedTuple):
    """One path that differs from the generated files."""

    path: str
    kind: Literal["missing", "changed", "stray"]


def check(root: Path, files: dict[str, str]) -> list[Drift]:
    """Return every path below `root` that differs from `files`, by existence or content, except bytecode caches."""
    present = _present(root)
    drift = [Drift(path, "stray") for path in present.keys() - files.keys()]
    for path, text in files.items():
        if path not in present:
            drift.append(Drift(path, "missing"))
        elif present[path].is_symlink() or present[path].read_bytes() != text.encode():
            drift.append(Drift(path, "changed"))
    return sorted(drift)


def write(root: Path, files: dict[str, str]) -> list[Drift]:
    """Make `root` equal to `files`, and return the paths that differed. Deletes stray files."""
    drift = check(root, files)
    for path, kind in drift:
        target = root / path
        if kind != "missing":
            target.unlink()
        if kind != "stray":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(files[path].encode())
    return drift


def _present(root: Path) -> dict[str, Path]:
    return {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if "__pycache__" not in path.relative_to(root).parts and (path.is_symlink() or not path.is_dir())
    }
