"""Takes the newest npm devtools-protocol: vendors it, regenerates, says what differs in CHANGELOG.md, and tests that.

    python -m tests.roll [--package FOLDER|FILE.tgz] [--dry-run]

`--package` takes an unpacked package, or a packed one, in place of the newest of npm. `--dry-run` writes nothing: it
prints the entry for the changelog after a generation that is thrown away.
Exit codes: 0 done, or nothing is newer; 1 a check fails on what was generated; 2 no package, or one that cannot be
generated from.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cdp_typed.schema import load_schema, parse_schema
from cdp_typed.schema.diff import compare
from codegen.__main__ import generate
from codegen.errors import SchemaError
from codegen.load import read_source
from codegen.write import write
from tests.roll.package import RollError, fetch_newest, stage, unpack
from tests.roll.summary import add_to_changelog, summarize
from tests.support.wheels import ROOT

CHECKS = (
    ("-m", "codegen", "--check"),
    ("-m", "mypy"),
    ("-m", "pytest", "-q", "-n", "auto", "-m", "not thorough", "tests/codegen", "tests/cdp_typed", "tests/supervisor"),
)
"""What is run on the new bindings; `make test` is the whole of it."""


class Rolled(NamedTuple):
    """What a roll came to: the version before and after, and the entry of the changelog."""

    before: str
    after: str
    entry: str


def main(argv: Sequence[str] | None = None) -> int:
    """Roll, and run the checks; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.roll", description="Take the newest devtools-protocol.")
    parser.add_argument("--package", type=Path, help="this package, a folder or a .tgz, in place of npm's newest")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    options = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory() as folder:
            package = fetch_newest(Path(folder)) if options.package is None else unpack(options.package, Path(folder))
            rolled = roll(package, Path(folder) / "schema", None if options.dry_run else ROOT)
    except (RollError, SchemaError) as error:
        sys.stderr.write(f"roll: {error}\n")
        return 2
    if rolled.before == rolled.after:
        sys.stdout.write(f"nothing to do: the bindings are made from {rolled.after} already\n")
        return 0
    sys.stdout.write(rolled.entry)
    return 0 if options.dry_run else run_checks()


def roll(package: Path, schema: Path, root: Path | None) -> Rolled:
    """Lay the unpacked package out at `schema`, generate, and write all of it below `root`, unless that is None.

    Nothing is written if the package cannot be generated from (`SchemaError`), or if it is the one in use.
    """
    before, after = read_source(ROOT / "codegen" / "schema").version, stage(package, schema)
    files = generate(schema)
    differences = compare(load_schema(), parse_schema(files["protocol.json"].encode()))
    rolled = Rolled(before, after, summarize(before, after, differences))
    if root is not None and before != after:
        shutil.rmtree(root / "codegen" / "schema")
        shutil.copytree(schema, root / "codegen" / "schema")
        write(root / "cdp_typed" / "protocol", files)
        changelog = root / "CHANGELOG.md"
        changelog.write_text(add_to_changelog(changelog.read_text(encoding="utf-8"), rolled.entry), encoding="utf-8")
    return rolled


def run_checks() -> int:
    """Run all checks, whatever becomes of the first; return 1 if one of them failed."""
    runs = {" ".join(check): subprocess.run([sys.executable, *check], cwd=ROOT, check=False) for check in CHECKS}
    failed = [check for check, run in runs.items() if run.returncode]
    sys.stdout.write("".join(f"failed: python {check}\n" for check in failed) or "all checks pass\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
