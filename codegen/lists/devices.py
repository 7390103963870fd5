"""Writes `cdp_typed/helpers/shared/devices.json` from the devices of an installed npm package `playwright-core`:
`python -m codegen.lists.devices NODE_MODULES DATE`, where DATE is the day on which that version was published.

Only names and figures are taken. The version of Chrome in a user agent becomes `{chrome}`: a page has to see the
version of the browser in use.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent.parent / "cdp_typed" / "helpers" / "shared" / "devices.json"

_LANDSCAPE = " landscape"
_VERSION = re.compile(r"(Chrome|Edg)/[\d.]+")
_READ = "const p = require('playwright-core'); console.log(JSON.stringify(p.devices))"


def devices_text(described: Mapping[str, Mapping[str, Any]], source: str) -> str:
    """Return the text of the file: a line for each device, in the order of the package."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(_device(device, described.get(name + _LANDSCAPE)))}"
        for name, device in described.items()
        if not name.endswith(_LANDSCAPE)
    ]
    return f'{{\n"source": {json.dumps(source)},\n"devices": {{\n' + ",\n".join(lines) + "\n}\n}\n"


def _device(device: Mapping[str, Any], turned: Mapping[str, Any] | None) -> dict[str, Any]:
    sizes = {"viewport": device["viewport"], "screen": device.get("screen")}
    if turned is not None:
        sizes |= {"landscape": turned["viewport"]}
    return {
        **{name: [size["width"], size["height"]] for name, size in sizes.items() if size is not None},
        "scale": device["deviceScaleFactor"],
        "mobile": device["isMobile"],
        "touch": device["hasTouch"],
        "user_agent": _VERSION.sub(r"\1/{chrome}", device["userAgent"]),
    }


def main(arguments: list[str]) -> int:
    """Write the file."""
    if len(arguments) != 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    modules, published = Path(arguments[0]), arguments[1]
    version = json.loads((modules / "playwright-core" / "package.json").read_text(encoding="utf-8"))["version"]
    read = subprocess.run(["node", "-e", _READ], cwd=modules.parent, capture_output=True, text=True, check=True)
    source = f"npm playwright-core {version}, published {published}, Apache-2.0"
    TARGET.write_text(devices_text(json.loads(read.stdout), source), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
