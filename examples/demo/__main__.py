"""Plays the demo: `python -m examples.demo`."""

from __future__ import annotations

import argparse
import sys

import msgspec

from cdp_typed.errors import CDPError

from .narrator import Narrator
from .run import demo


def main() -> int:
    """Play the demo; the exit code is 1 when there is no browser, or when the demo saw something unexpected."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.demo",
        description="Launch a local Chromium, open dialogs and an iframe from another site, and handle them all.",
        allow_abbrev=False,
    )
    parser.add_argument("--mock", action="store_true", help="play on the mock server; needs no browser")
    parser.add_argument("--json", action="store_true", help="print the supervisor's last snapshot at the end")
    parser.add_argument("--record", metavar="FILE.jsonl", help="keep a flight recording, with pictures, for `report`")
    options = parser.parse_args()
    if options.mock:
        print("This is the mock server, not a browser: the same story, without Chromium.")
    narrator = Narrator()
    try:
        last = demo(narrator, mock=options.mock, record_to=options.record, record_screenshots=bool(options.record))
    except CDPError as error:
        parser.exit(1, f"{parser.prog}: error: {error}\n")
    narrator.ending(last)
    if options.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(last)).decode() + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
