"""Builds what is published, checks it, and tries the wheel on every Python of this machine.

    python -m tests.release [--out DIR] [--tag v1.2.3]

`--tag` is for a release: the tag, the version and CHANGELOG.md must agree.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cdp_typed import __version__
from tests.release.building import NotReproducible, build_twice, commit_time
from tests.release.changelog import ChangelogError, check_release, read_changelog
from tests.release.interpreters import find_interpreters, make_environment, try_wheel
from tests.support.wheels import ROOT


def main() -> None:
    """Do all of it; the exit code is 1 at the first thing that is not right."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description="Build and try what is published.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for both files (default: dist)")
    parser.add_argument("--tag", help="the tag of the release, for example v1.2.3")
    options = parser.parse_args()
    try:
        release(options.out, options.tag or None)
    except (AssertionError, ChangelogError, NotReproducible, RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(f"no release: {error}")


def release(out: Path, tag: str | None) -> None:
    """Check the changelog, build twice, check both files, and try the wheel."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    read_changelog(changelog)
    if tag is not None:
        check_release(__version__, tag, changelog)
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, digest in build_twice(Path(folder), out, epoch=commit_time()).items():
            say(f"{digest}  {name}: the same in two builds")
    tools = Path(sys.executable).parent
    (wheel,) = out.glob("*.whl")
    subprocess.run([tools / "twine", "--no-color", "check", "--strict", *sorted(out.iterdir())], check=True)
    subprocess.run([tools / "check-wheel-contents", wheel], check=True, cwd=ROOT)
    for interpreter in find_interpreters():
        with tempfile.TemporaryDirectory() as folder:
            python = make_environment(interpreter, wheel, Path(folder) / "environment")
            (work := Path(folder) / "elsewhere").mkdir()
            say(f"Python {interpreter.version} ({interpreter.path}): {try_wheel(python, work)}")


def say(line: str) -> None:
    """Print a line at once, between those of the programs that are run."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
