"""`python -m tests.support.runs.lines`: the hand-written lines of Python, JavaScript and pages, folder by folder."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
PRODUCT: Final = ("cdp_agent", "cdp_typed", "supervisor", "codegen", "website")
KINDS: Final = {".py", ".js", ".html", ".css"}


def hand_written() -> Counter[str]:
    """The lines of each folder: its first two levels, of addons the third."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = Counter[str]()
    for name in listed.splitlines():
        path = Path(name)
        if path.suffix not in KINDS or path.parts[0] not in (*PRODUCT, "tests", "evals"):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if name.startswith("cdp_typed/protocol/") or "enerated by" in text[:400]:
            continue
        depth = 3 if path.parts[:2] == ("supervisor", "addons") else 2 if path.parts[0] in PRODUCT else 1
        lines["/".join(path.parts[:-1][:depth])] += text.count("\n")
    return lines


def main() -> str:
    """One line a folder, and the sum of the product."""
    lines = hand_written()
    rows = [f"{count:8,}  {folder}" for folder, count in sorted(lines.items())]
    product = sum(count for folder, count in lines.items() if folder.split("/")[0] in PRODUCT)
    return "\n".join([*rows, f"{product:8,}  product"])


if __name__ == "__main__":
    import sys

    sys.stdout.write(main() + "\n")
