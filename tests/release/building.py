"""Builds the sdist and the wheel, twice, and compares them byte by byte."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.wheels import ROOT

_LATER_S = 86_400 * 400


class NotReproducible(Exception):
    """Two builds of the same sources differ."""


def copy_tree(target: Path) -> Path:
    """Copy the files that git knows to `target`: what lies about beside them never gets into a release."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    return target


def commit_time() -> int:
    """Return the time of the last commit, which is `SOURCE_DATE_EPOCH` of a release."""
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(log.stdout)


def build(tree: Path, out: Path, *, epoch: int) -> None:
    """Build the sdist of `tree`, and the wheel from that sdist, with the packages that are installed here."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(tree)]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    built = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if built.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{built.stdout}{built.stderr}")


def build_twice(work: Path, out: Path, *, epoch: int) -> dict[str, str]:
    """Build two copies of the tree into `out`, and return the sha256 of each file, by its name.

    The second copy lies elsewhere, and its files have other times and rights: none of that may show.
    Raises `NotReproducible` naming the files that differ.
    """
    first, second = copy_tree(work / "a"), copy_tree(work / "another folder" / "b")
    for path in second.rglob("*"):
        os.utime(path, (epoch + _LATER_S, epoch + _LATER_S))
        path.chmod(path.stat().st_mode & 0o700)
    build(first, out, epoch=epoch)
    build(second, work / "again", epoch=epoch)
    made, again = digests(out), digests(work / "again")
    if made != again:
        differing = sorted(name for name in {*made, *again} if made.get(name) != again.get(name))
        raise NotReproducible(f"two builds differ in {', '.join(differing)}")
    return made


def digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of each file of a folder, by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
