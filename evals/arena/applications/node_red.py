"""Node-RED, with three flows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import Program, environment, get

__all__ = ["NodeRed"]


class NodeRed(Program):
    """Node-RED with nodes that are not connected."""

    name: ClassVar[str] = "Node-RED"
    patience_s: ClassVar[float] = 6.0
    ready: ClassVar[str] = "/flows"

    def prepare(self) -> None:
        nodes: list[dict[str, Any]] = [
            {"id": "f1", "type": "tab", "label": "Greetings"},
            {"id": "n1", "type": "inject", "z": "f1", "name": "every hour", "x": 160, "y": 100, "wires": [["n2"]],
             "props": [], "repeat": "", "once": False},
            {"id": "n2", "type": "debug", "z": "f1", "name": "show greeting", "x": 460, "y": 100, "wires": [],
             "active": True, "complete": "payload"},
            {"id": "n3", "type": "comment", "z": "f1", "name": "old remark", "info": "", "x": 160, "y": 200,
             "wires": []},
        ]  # fmt: skip
        (self.folder / "flows.json").write_text(json.dumps(nodes))
        settings = {"telemetry": {"enabled": False, "updateNotification": False}, "tours": False}
        own = "flowFile: 'flows.json', editorTheme: {tours: false}, contextStorage: undefined"
        (self.folder / "settings.js").write_text(f"module.exports = Object.assign({json.dumps(settings)}, {{{own}}})")

    def command(self, port: int) -> Sequence[str | Path]:
        own = ("--userDir", self.folder, "--settings", self.folder / "settings.js", "--port", str(port))
        return ("node", environment() / "node_modules/node-red/red.js", *own, "-D", "uiHost=127.0.0.1")

    def nodes(self) -> list[dict[str, Any]]:
        """What is deployed."""
        nodes: list[dict[str, Any]] = json.loads(get(f"{self.url}/flows"))
        return nodes

    def node(self, **values: object) -> dict[str, Any]:
        """The deployed node with these values; empty if there is none."""
        nothing: dict[str, Any] = {}
        return next((node for node in self.nodes() if values.items() <= node.items()), nothing)
