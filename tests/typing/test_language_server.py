"""What an editor shows of a domain, asked of a language server over its standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.protocol import page

pytestmark = pytest.mark.thorough

SERVER = Path(sys.executable).with_name("basedpyright-langserver")
TEXT = "from cdp_typed.protocol import page\npage."


class LanguageServer:
    """Requests to the server, one after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output, self._count = process.stdin, process.stdout, 0

    def tell(self, method: str, params: dict[str, Any], **more: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params, **more})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._count += 1
        self.tell(method, params, id=self._count)
        while True:
            message = self._read()
            if "method" not in message and message.get("id") == self._count:
                assert "error" not in message, message
                return message["result"]
            if "method" in message and "id" in message:
                settings = [{"pythonPath": sys.executable}] * len(message.get("params", {}).get("items", []))
                result = settings if message["method"] == "workspace/configuration" else None
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._input.flush()

    def _read(self) -> dict[str, Any]:
        length = 0
        while (line := self._output.readline()) != b"\r\n":
            assert line, "the language server has ended"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._output.read(length))
        return message


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[LanguageServer, dict[str, Any]]]:
    """A server that has opened the text, and the end of the text."""
    root = tmp_path.as_uri()
    command = [str(SERVER), "--stdio"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        server = LanguageServer(process)
        server.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "capabilities": {"workspace": {"configuration": True}},
                "workspaceFolders": [{"uri": root, "name": "shop"}],
            },
        )
        server.tell("initialized", {})
        document = {"uri": f"{root}/shop.py", "languageId": "python", "version": 1, "text": TEXT}
        server.tell("textDocument/didOpen", {"textDocument": document})
        yield server, {"textDocument": {"uri": document["uri"]}, "position": {"line": 1, "character": len("page.")}}
        process.kill()


def test_the_list_after_a_domain_has_its_public_names_alone(opened: tuple[LanguageServer, dict[str, Any]]) -> None:
    server, end = opened

    listed = server.ask("textDocument/completion", end)

    names = {item["label"] for item in listed["items"]}
    assert {name for name in names if not name.startswith("__")} == set(page.__all__)


def test_a_domain_is_shown_with_its_commands_first(opened: tuple[LanguageServer, dict[str, Any]]) -> None:
    server, end = opened

    shown = server.ask("textDocument/hover", {**end, "position": {"line": 1, "character": 1}})["contents"]["value"]

    _, commands = shown.split("Commands: ")
    assert commands.index("`Navigate`") < commands.index("Events: ") < commands.index("`FrameNavigated`")
    assert "NavigateResult" not in commands
