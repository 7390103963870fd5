"""Roles in place of the ids of a trace: `page`, `page/1` for its first iframe, `page/1#2` for a second session."""

from __future__ import annotations

import re
from typing import Final

from tests.honesty.player import Entry, Params, Stage, Trace

_ID: Final = re.compile(r"\b[0-9A-F]{32}\b")


class Roles:
    """Names targets, frames, sessions and contexts in the order in which the trace announces them."""

    def __init__(self, trace: Trace, stage: Stage) -> None:
        self._origins = {stage.own: "own:", stage.other: "other:", stage.nowhere: "nowhere:"}
        self._names: dict[str, str] = {}
        self._children: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._contexts: dict[tuple[str | None, int], str] = {}
        for entry in trace:
            if not entry.sent:
                self._learn(entry)

    def session(self, entry: Entry) -> str:
        """Return the role of the session that a message belongs to."""
        session = entry.message.get("sessionId")
        return f"{entry.connection} {'browser' if session is None else self._names.get(session, session)}"

    def context(self, session: str | None, number: int) -> str:
        """Return the role of an execution context on a session."""
        return self._contexts.get((session, number), "<context>")

    def text(self, text: str) -> str:
        """Replace ids by roles and URLs by paths."""
        for origin, short in self._origins.items():
            text = text.replace(origin, short)
        return _ID.sub(lambda match: self._names.get(match[0], "<id>"), text)

    def is_foreign(self, message: Params) -> bool:
        """Return whether the event is about a target that is not part of the scenario, such as an older one."""
        params = message["params"]
        target = params.get("targetInfo", params).get("targetId")
        return message["method"].startswith("Target.") and target is not None and target not in self._names

    def _learn(self, entry: Entry) -> None:
        message = entry.message
        method, params = message.get("method", ""), message.get("params", {})
        session = message.get("sessionId")
        match method:
            case "Page.frameAttached":
                self._child(params["frameId"], params["parentFrameId"])
            case "Target.attachedToTarget":
                self._target(params["targetInfo"])
                name = self._names[params["targetInfo"]["targetId"]]
                self._names.setdefault(params["sessionId"], self._count(f"{entry.connection} {name}", name))
            case "Runtime.executionContextCreated":
                described = params["context"]
                about = described.get("auxData", {})
                name = f"{self.text(about.get('frameId', 'worker'))} {about.get('type', 'context')}"
                self._contexts[session, described["id"]] = name
            case "":
                created_target = message.get("result", {}).get("targetId")
                if created_target is not None:
                    self._names.setdefault(created_target, self._count("page", "page"))
            case _:
                pass

    def _target(self, info: Params) -> None:
        if info["type"] == "iframe":
            self._child(info["targetId"], info["parentFrameId"])
        elif info["targetId"] not in self._names:
            self._names[info["targetId"]] = self._count(info["type"], info["type"])

    def _child(self, frame: str, parent: str) -> None:
        if frame not in self._names:
            above = self._names.get(parent, "<frame>")
            at = self._children[above] = self._children.get(above, 0) + 1
            self._names[frame] = f"{above}/{at}"

    def _count(self, what: str, name: str) -> str:
        number = self._counts[what] = self._counts.get(what, 0) + 1
        return name if number == 1 else f"{name}#{number}"
