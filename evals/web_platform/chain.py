"""The server of a chain of pages: each uses one feature, reports how that went, and goes on to the next."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from evals.web_platform.feature import Feature, File, Held, page
from tests.support.servers.sites import Page, Request, Response, Sites

__all__ = ["LIMIT_S", "Chain"]

LIMIT_S = 10.0
"""The limit for one feature. It needs a fraction of a second; on a machine with much else to do, seconds."""
GRACE_S = 4.0
"""Added to a page's own limit: without a report until then, the page is gone or stuck, and cannot go on."""

START = """
for (let calm = 0; calm < 10 && performance.now() < 1000; calm++) {
  const before = innerHeight;
  await sleep(20);
  if (innerHeight !== before) calm = 0;
}
location.replace(await text('/first'));
"""
"""A window that has just been opened still changes its size."""

CONTENT_TYPES = {
    "js": "text/javascript",
    "mjs": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "wasm": "application/wasm",
    "xhtml": "application/xhtml+xml",
}


class Chain:
    """Serves the pages of features for the length of a `with` block, and keeps what they report.

    A feature that takes longer than `limit_s` is cut off: its page reports what it waits for, and goes on.
    """

    def __init__(
        self, features: Sequence[Feature], *, folders: Mapping[str, Path] | None = None, limit_s: float = LIMIT_S
    ) -> None:
        self.outcomes: dict[str, str] = {}
        """By the feature's name."""
        self._features = tuple(features)
        self._limit_s = limit_s
        self._is_let_go = threading.Event()
        self._has_arrived = threading.Event()
        self._progress = threading.Condition()
        self._sites = Sites(folders=folders)
        self._websockets: Server = serve(_answer_websocket, "127.0.0.1", 0)
        self._thread = threading.Thread(target=self._websockets.serve_forever, name="websockets", daemon=True)

    @property
    def start_url(self) -> str:
        """The first URL of a tab, which leads to the first feature without a report."""
        return self._sites.local("/start/")

    @property
    def waiting_url(self) -> str:
        """A page that does nothing."""
        return self._sites.local("/waiting/")

    def __enter__(self) -> Chain:
        port = int(self._websockets.socket.getsockname()[1])
        harness = (Path(__file__).parent / "harness.js").read_text().replace("WEBSOCKET_PORT", str(port))
        harness = harness.replace("LIMIT_S", str(self._limit_s))
        self._sites.pages.update(
            {
                "/harness.js": Response(harness, headers={"Content-Type": "text/javascript"}),
                "/start/": page(START),
                "/first": self._first,
                "/waiting/": page(title="waiting"),
                "/end/": page(title="end"),
            }
        )
        for feature in self._features:
            self._add(feature)
        self._sites.__enter__()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_let_go.set()
        self._websockets.shutdown()
        self._thread.join()
        self._sites.__exit__(kind, error, trace)

    def let_go(self) -> None:
        """Let the tab go on from the page where it begins."""
        self._is_let_go.set()

    def wait_for_arrival(self) -> None:
        """Return when a tab is ready to begin. Raises `TimeoutError`."""
        if not self._has_arrived.wait(30):
            raise TimeoutError("no tab has come to the first page")

    def wait_for_end(self) -> bool:
        """Return when every feature has been reported (True), or none for a while (False)."""
        with self._progress:
            while len(self.outcomes) < len(self._features):
                if not self._progress.wait(self._limit_s + GRACE_S):
                    return False
            return True

    def give_up_on_current(self) -> None:
        """Report the feature from which no report has come."""
        self._record(self._unknown()[0], "stuck: the page neither reported nor went on")

    def _unknown(self) -> list[Feature]:
        return [feature for feature in self._features if feature.name not in self.outcomes]

    def _record(self, feature: Feature, outcome: str) -> str:
        """Keep the first report of a feature. Returns where to go on."""
        with self._progress:
            self.outcomes.setdefault(feature.name, outcome)
            self._progress.notify_all()
            return self._url(self._unknown())

    def _url(self, features: Sequence[Feature]) -> str:
        if not features:
            return self._sites.local("/end/")
        return f"http://{features[0].label}.suite.localhost:{self._sites.port}/{features[0].name}/"

    def _first(self, request: Request) -> str:
        self._has_arrived.set()
        self._is_let_go.wait(60)
        return self._url(self._unknown())

    def _add(self, feature: Feature) -> None:
        folder = f"/{feature.name}/"
        turns = threading.Semaphore(0)

        def report(request: Request) -> Response:
            return Response(self._record(feature, request.body.decode()), headers={"Access-Control-Allow-Origin": "*"})

        def more(request: Request) -> str:
            turns.release()
            return ""

        def log(request: Request) -> Response:
            seen = [_described(entry, folder) for entry in tuple(self._sites.requests) if entry.path.startswith(folder)]
            return _json([entry for entry in seen if entry["file"] not in {"log", "more"}], {})

        def echo(request: Request) -> Response:
            return _json(_described(request, folder), _cors(request) if "cors" in request.query else {})

        script = f"feature(async () => {{\n{feature.script}\n}});"
        files: dict[str, File] = {
            "": Response(_document(feature), headers=feature.headers),
            "feature.js": script,
            "more": more,
            "log": log,
            "echo": echo,
            **feature.files,
        }
        self._sites.pages.update({folder + name: self._served(name, file, turns) for name, file in files.items()})
        self._sites.pages[f"/report/{feature.name}"] = report

    def _served(self, name: str, file: File, turns: threading.Semaphore) -> Page:
        content_type = CONTENT_TYPES.get(name.rpartition(".")[2])
        if isinstance(file, Held):
            held = file
            return lambda request: Response(self._pieces(held, turns), headers={"Content-Type": held.content_type})
        if isinstance(file, str) and content_type is not None:
            return Response(file, headers={"Content-Type": content_type})
        if isinstance(file, Response) and content_type is not None:
            return Response(file.body, file.status, {"Content-Type": content_type, **file.headers})
        return file

    def _pieces(self, held: Held, turns: threading.Semaphore) -> Iterator[bytes]:
        for index, piece in enumerate(held.pieces):
            if index and not turns.acquire(timeout=self._limit_s):
                return
            yield piece.encode()


def _document(feature: Feature) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{feature.name}</title>'
        f'<link rel="icon" href="data:,">{feature.html}<body><script src="/harness.js"></script>'
        f'<script src="/{feature.name}/feature.js"></script>'
    )


def _described(request: Request, folder: str) -> dict[str, object]:
    body = request.body.decode(errors="replace")
    place = {"file": request.path.removeprefix(folder), "query": request.query}
    return {"method": request.method, **place, "body": body, "headers": dict(request.headers)}


def _json(value: object, headers: Mapping[str, str]) -> Response:
    return Response(json.dumps(value), headers={"Content-Type": "application/json", **headers})


def _cors(request: Request) -> Mapping[str, str]:
    return {
        "Access-Control-Allow-Origin": request.headers.get("origin", "*"),
        "Access-Control-Allow-Credentials": "true",
        "Access-Control-Allow-Headers": "x-custom, content-type",
        "Access-Control-Allow-Methods": "PUT",
        "Access-Control-Expose-Headers": "x-exposed",
        "X-Exposed": "exposed",
    }


def _answer_websocket(connection: ServerConnection) -> None:
    """Send back what comes; `close` closes with a code, `many` sends ten messages."""
    try:
        for said in connection:
            if said == "close":
                connection.close(4001, "as asked")
            elif said == "many":
                for number in range(10):
                    connection.send(str(number))
            else:
                connection.send(said)
    except ConnectionClosed:
        return
