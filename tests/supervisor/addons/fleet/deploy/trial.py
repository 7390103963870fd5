"""Played in a container of the image: a fleet opens a page, and the processes of its browser are looked at."""

from __future__ import annotations

import http.server
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from supervisor.addons.fleet import Fleet, Hosts, Limits

DRAWN = """[...'日本가नعก'].map(letter => {
  const canvas = document.createElement('canvas'), to = canvas.getContext('2d');
  to.font = '20px sans-serif';
  to.fillText(letter, 10, 30);
  return canvas.toDataURL();
})"""
"""Letters without a font are boxes, which look the same."""
BROWSER = b"/usr/lib/chromium/chromium"


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<title>a page</title>")

    def log_message(self, format: str, *_: object) -> None:
        """Keep silent."""


def renderers() -> dict[str, str]:
    """The user namespace of every renderer, by its process."""
    found: dict[str, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            if line.startswith(BROWSER) and b"--type=renderer" in line:
                found[folder.name] = (folder / "ns" / "user").readlink().name
        except OSError:
            continue
    return found


def main() -> None:
    """Print what was seen as JSON, in one line."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    limits = Limits(queue_s=25)
    with Fleet({}, toolsets="all", address="127.0.0.1:6379", hosts=Hosts(start_timeout_s=10), limits=limits) as fleet:
        address = f"http://127.0.0.1:{server.server_port}/"
        result = json.loads(fleet.dispatch("browser_navigate", {"url": address}))
        drawn: list[Any] = json.loads(fleet.dispatch("browser_evaluate", {"expression": DRAWN})).get("value") or []
        own = Path("/proc/self/ns/user").readlink().name
        there = renderers()
        seen = {
            "uid": os.getuid(),
            "title": result.get("title", ""),
            "error": result.get("error", ""),
            "letters": len(set(drawn)),
            "renderers": len(there),
            "outside_the_sandbox": [pid for pid, namespace in there.items() if namespace == own],
        }
        sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main()
