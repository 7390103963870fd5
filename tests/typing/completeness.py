"""Checks that public names of the packages have a known type: `python -m tests.typing.completeness`.

It runs `basedpyright --verifytypes` on the packages in this repository. The wheel, installed with all its extras, has
the same scores (99.69 % and 99.55 %), but would have to be built and installed first. Without the extras, `supervisor`
has 99.2 %: the types of mcp are unknown then.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGES = ("cdp_typed", "supervisor")
ENOUGH = 0.995
"""The rest are types of other packages in public signatures: of websockets, pytest and mcp."""

_ROOT = Path(__file__).parents[2]
_BIN = Path(sys.executable).parent


def main() -> int:
    """Print the score of each package, and the names without a type if it is too low; return 1 if any is."""
    # Pyright looks for the packages where the first `python` of PATH does.
    environ = {**os.environ, "PATH": os.pathsep.join([str(_BIN), os.environ["PATH"]]), "PYTHONPATH": str(_ROOT)}
    runs = {
        package: subprocess.Popen(
            [_BIN / "basedpyright", "--verifytypes", package, "--outputjson"],
            cwd=_ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        for package in PACKAGES
    }
    return max([_judge(package, json.loads(run.communicate()[0])) for package, run in runs.items()])


def _judge(package: str, answer: dict[str, Any]) -> int:
    report = answer["typeCompleteness"]
    score: float = report["completenessScore"]
    print(f"{package}: {score:.2%} of what is public has a type that is known")
    if score >= ENOUGH:
        return 0
    for symbol in report["symbols"]:
        if symbol["isExported"]:
            for diagnostic in symbol["diagnostics"]:
                if diagnostic["severity"] == "error":
                    print(f"  {symbol['name']}: {diagnostic['message']}")
    print(f"{package}: at least {ENOUGH:.1%} should have", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
