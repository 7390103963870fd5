"""The real schema, its plan and its files, made once for all tests; browsers that say what a test wants; packages."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import generate
from codegen.load import load
from codegen.plan import Plan, make_plan


@pytest.fixture(scope="session")
def plan() -> Plan:
    """The plan of the vendored schema."""
    _, protocol = load()
    return make_plan(protocol)


@pytest.fixture(scope="session")
def files() -> dict[str, str]:
    """Every generated file."""
    return generate()


BROWSER = {"Browser": "Chrome/156.0.1", "WebKit-Version": "537.36 (@a21ce95c24ce)"}

Serve = Callable[[dict[str, tuple[int, bytes]]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """An HTTP server that gives these answers by path; its address."""
    servers: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(answers: dict[str, tuple[int, bytes]]) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = answers.get(self.path.partition("?")[0], (404, b""))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is told."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in servers:
        server.shutdown()
        server.server_close()
        thread.join()


def answers(protocol: Any, version: Any = BROWSER) -> dict[str, tuple[int, bytes]]:
    return {
        "/json/version": (200, json.dumps(version).encode()),
        "/json/protocol": (200, json.dumps(protocol).encode()),
    }


@pytest.fixture
def importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory from which packages can be imported; they are forgotten afterwards."""
    root = tmp_path / "importable"
    root.mkdir()
    monkeypatch.setattr(sys, "path", [str(root), *sys.path])
    before = set(sys.modules)
    yield root
    for name in set(sys.modules) - before:
        if any(name.partition(".")[0] == package.name for package in root.iterdir()):
            del sys.modules[name]


def load_module(name: str) -> Any:
    """A module that was written a moment ago."""
    invalidate_caches()
    return import_module(name)
