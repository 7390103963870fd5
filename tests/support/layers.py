"""Names each module that is in no layer of an exhaustive contract, and the list for it: part of `make arrows`."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules_in_no_layer(root: Path = ROOT) -> Iterator[str]:
    """Say of each such module where it is added."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    for contract in tomllib.loads(text)["tool"]["importlinter"]["contracts"]:
        if contract.get("exhaustive"):
            known = {name.strip() for layer in contract["layers"] for name in layer.replace(":", "|").split("|")}
            before = text[: text.index("layers = [", text.index(f'name = "{contract["name"]}"'))]
            for container in contract["containers"]:
                for path in sorted((root / container.replace(".", "/")).iterdir()):
                    is_module = path.suffix == ".py" or (path / "__init__.py").is_file()
                    if is_module and path.stem not in {*known, "__init__"}:
                        yield (
                            f"{path.relative_to(root)} is in no layer: add {path.stem!r} to the list `layers` of the "
                            f"contract {contract['name']!r} in pyproject.toml, line {before.count(chr(10)) + 1}"
                        )


if __name__ == "__main__":
    sys.exit("\n".join(modules_in_no_layer()) or 0)
