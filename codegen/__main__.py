"""`python -m codegen`: writes `cdp_typed/protocol/` and the blocking helpers, or a private package, or checks them.

Exit codes: 0 done, or clean; 1 `--check` found a difference; 2 wrong usage, or a source that cannot be generated from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from keyword import iskeyword
from pathlib import Path

from codegen.emit.package import HOME, emit
from codegen.emit.source_text import GENERATED
from codegen.errors import NoBlockingTwin, SchemaError
from codegen.helpers import TWINS, blocking_helpers
from codegen.load import SCHEMA, load
from codegen.other_schemas import load_others
from codegen.patches import apply
from codegen.plan import make_plan
from codegen.write import check, write

PACKAGE = Path(__file__).parent.parent / "cdp_typed" / "protocol"


def main(argv: list[str] | None = None) -> int:
    """Run the generator; return the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    out: Path = options.out
    private = options.from_browser is not None or bool(options.domain_file)
    package: str = options.package or (out.resolve().name if private else HOME)
    if private and out == PACKAGE:
        parser.error("--from-browser and --domain-file need --out DIR, the directory of the private package")
    if not all(part.isidentifier() and not iskeyword(part) for part in package.split(".")):
        parser.error(f"{package!r} is no name to import; give another one with --package")
    if not options.check and out != PACKAGE and not _replaceable(out):
        # `write` deletes files that are not generated: a slip such as `--out .` must not delete a user's work.
        parser.error(f"--out {out}: neither new, nor empty, nor a package that codegen wrote")
    try:
        files = generate_private(options.from_browser, options.domain_file, package) if private else generate()
        packages = {out: files, **({TWINS: blocking_helpers()} if out == PACKAGE else {})}
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
        description="Generate cdp_typed.protocol and the blocking helpers, or a private package for the same client.",
        epilog="example: python -m codegen --from-browser http://127.0.0.1:9222 --out edge_protocol",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; list every path that differs")
    parser.add_argument("--out", type=Path, default=PACKAGE, help="the package directory (default: %(default)s)")
    parser.add_argument("--from-browser", metavar="URL", help="what this browser speaks, in place of the npm package")
    parser.add_argument(
        "--domain-file", metavar="FILE", type=Path, action="append", default=[], help="your own domains, as JSON"
    )
    parser.add_argument("--package", metavar="NAME", help="the import name of a private package (default: DIR's name)")
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


def generate_private(browser: str | None, domain_files: Sequence[Path], package: str) -> dict[str, str]:
    """Return every file of a private package: domains of a browser, of files, or both. `PATCHES` are not applied."""
    origin, protocol = load_others(browser, domain_files)
    return emit(make_plan(protocol), origin, package)


if __name__ == "__main__":
    sys.exit(main())
