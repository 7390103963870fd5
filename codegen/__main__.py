"""`python -m codegen`: writes `cdp_typed/protocol/`, or checks it.

Exit codes: 0 done, or clean; 1 `--check` found a difference; 2 wrong usage, or a schema that cannot be generated from.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .emit import emit
from .emit_text import GENERATED
from .errors import SchemaError
from .load import SCHEMA, load
from .patches import apply
from .plan import make_plan
from .write import check, write

PACKAGE = Path(__file__).parent.parent / "cdp_typed" / "protocol"


def main(argv: list[str] | None = None) -> int:
    """Runs the generator; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description="Generate cdp_typed.protocol.")
    parser.add_argument("--check", action="store_true", help="write nothing; list every path that differs")
    parser.add_argument("--out", type=Path, default=PACKAGE, help="the package directory (default: %(default)s)")
    options = parser.parse_args(argv)
    out: Path = options.out
    if not options.check and out != PACKAGE and not _replaceable(out):
        # What is not generated is deleted there: a slip such as `--out .` must not cost anybody their work.
        parser.error(f"--out {out}: neither new, nor empty, nor a package that codegen wrote")
    try:
        files = generate()
    except SchemaError as error:
        print(f"codegen: {error}", file=sys.stderr)
        return 2
    drift = check(out, files) if options.check else write(out, files)
    for path, kind in drift:
        print(f"{kind:8}{out / path}")
    if options.check:
        return 1 if drift else 0
    print(f"{len(files)} files, {len(drift)} touched")
    return 0


def _replaceable(out: Path) -> bool:
    if not out.exists():
        return True
    if not out.is_dir():
        return False
    init = out / "__init__.py"
    return not any(out.iterdir()) or (init.is_file() and init.read_bytes().startswith(GENERATED.encode()))


def generate(schema: Path = SCHEMA) -> dict[str, str]:
    """Every file of the package, from the schema directory."""
    origin, protocol = load(schema)
    return emit(make_plan(apply(protocol)), origin)


if __name__ == "__main__":
    sys.exit(main())
