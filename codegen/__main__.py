"""`python -m codegen`: writes `cdp_typed/protocol/` and the blocking helpers, or checks them.

Exit codes: 0 done, or clean; 1 `--check` found a difference; 2 wrong usage, or a source that cannot be generated from.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegen.emit.package import emit
from codegen.emit.source_text import GENERATED
from codegen.errors import NoBlockingTwin, SchemaError
from codegen.helpers import TWINS, blocking_helpers
from codegen.load import SCHEMA, load
from codegen.patches import apply
from codegen.plan import make_plan
from codegen.write import check, write

PACKAGE = Path(__file__).parent.parent / "cdp_typed" / "protocol"


def main(argv: list[str] | None = None) -> int:
    """Run the generator; return the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    out: Path = options.out
    if not options.check and out != PACKAGE and not _replaceable(out):
        # `write` deletes files that are not generated: a slip such as `--out .` must not delete a user's work.
        parser.error(f"--out {out}: neither new, nor empty, nor a package that codegen wrote")
    try:
        packages = {out: generate(), **({TWINS: blocking_helpers()} if out == PACKAGE else {})}
    except (SchemaError, NoBlockingTwin) as error:
        print(f"codegen: {error}", file=sys.stderr)
        return 2
    bring = check if options.check else write
    touched = [(root / path, kind) for root, written in packages.items() for path, kind in bring(root, written)]
    for path, kind in touched:
        print(f"{kind:8}{path}")
    if options.check:
        return 1 if touched else 0
    print(f"{sum(map(len, packages.values()))} files, {len(touched)} touched")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m codegen",
        description="Generate cdp_typed.protocol and the blocking helpers.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; list every path that differs")
    parser.add_argument("--out", type=Path, default=PACKAGE, help="the package directory (default: %(default)s)")
    return parser


def _replaceable(out: Path) -> bool:
    if not out.exists():
        return True
    if not out.is_dir():
        return False
    init = out / "__init__.py"
    return not any(out.iterdir()) or (init.is_file() and init.read_bytes().startswith(GENERATED.encode()))


def generate(schema: Path = SCHEMA) -> dict[str, str]:
    """Return every file of the package, from the schema directory."""
    origin, protocol = load(schema)
    return emit(make_plan(apply(protocol)), origin)


if __name__ == "__main__":
    sys.exit(main())
