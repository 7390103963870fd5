"""A raw client of the mock in memory, which reads traffic as short lines.

A line is `session message`: the session by the name a test gave it (`-` for the connection's own), and the event with
the fields that tell events apart, or `reply to Method` with its value.
"""

from __future__ import annotations

import json
from typing import Any

from cdp_typed.mock import MockBrowser, WireFrame

Params = dict[str, Any]
LOCAL = "http://localhost"
REMOTE = "http://127.0.0.1"
_TOLD = ("reason", "type", "message", "result", "userInput", "waitingForDebugger", "navigationType", "status")


class Client:
    """One connection to a mock browser, with names of sessions and frames and methods of calls for the lines."""

    def __init__(self, browser: MockBrowser) -> None:
        self.methods: dict[int, str] = {}
        self.names: dict[str | None, str] = {None: "-"}
        self.frames: dict[str, str] = {}
        self._browser = browser
        self.connection = browser.connect()
        self._number = 0
        self.inbox: list[Params] = []

    def send(self, method: str, params: Params | None = None, session: str | None = None) -> list[Params]:
        """Send a call; return all messages since the last look."""
        self.post(method, params, session)
        return self.take()

    def post(self, method: str, params: Params | None = None, session: str | None = None) -> int:
        self._number += 1
        self.methods[self._number] = method
        message: Params = {"id": self._number, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        self.text(json.dumps(message))
        return self._number

    def text(self, text: str) -> None:
        """Send a frame as it is."""
        self._browser.receive(self.connection, text)

    def take(self) -> list[Params]:
        """Return all messages since the last look."""
        received = [item for item in self._browser.sent if item.connection == self.connection]
        self._browser.sent[:] = [item for item in self._browser.sent if item.connection != self.connection]
        messages = [json.loads(item.data) for item in received if isinstance(item, WireFrame)]
        self.inbox += messages
        return messages

    def result(self, method: str, params: Params | None = None, session: str | None = None) -> Params:
        """Return the result of a call that is answered at once."""
        got = self.send(method, params, session)
        reply = next(message for message in got if message.get("id") == self._number)
        assert "result" in reply, reply
        return dict(reply["result"])

    def error(self, method: str, params: Params | None = None, session: str | None = None) -> Params:
        """Return the error of a call that is refused."""
        got = self.send(method, params, session)
        reply = next(message for message in got if message.get("id") == self._number)
        assert "error" in reply, reply
        return dict(reply["error"])

    def lines(self, method: str, params: Params | None = None, session: str | None = None) -> list[str]:
        """Send a call; return all messages since the last look, as lines."""
        return [self.line(message) for message in self.send(method, params, session)]

    def evaluate(self, session: str, expression: str, **params: Any) -> list[str]:
        """Evaluate in the page; return all messages since the last look, as lines."""
        return self.lines("Runtime.evaluate", {"expression": expression, **params}, session)

    def answer_dialog(self, session: str, *, accept: bool = True) -> list[str]:
        """Answer the open dialog; return all messages since the last look, as lines."""
        return self.lines("Page.handleJavaScriptDialog", {"accept": accept}, session)

    def taken(self) -> list[str]:
        """Return all messages since the last look, as lines."""
        return [self.line(message) for message in self.take()]

    def line(self, message: Params) -> str:
        """Return a message as a short line."""
        session = self.names.get(message.get("sessionId"), "?")
        if "id" in message:
            method = self.methods[message["id"]]
            if "error" in message:
                return f"{session} refusal of {method}: {message['error']['message']}"
            return f"{session} reply to {method}{_value(message['result'])}"
        params = message["params"]
        frame = (
            params.get("frameId") or params.get("frame", {}).get("id") or params.get("targetInfo", {}).get("targetId")
        )
        words = [message["method"], *([self.frames.get(frame, "new frame")] if frame else [])]
        words += [str(params[key]) for key in _TOLD if key in params]
        return " ".join([session, *words])

    def attach(self, target: str, name: str = "page") -> str:
        """Attach a session to the target, under a name for lines."""
        session = str(self.result("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"])
        self.names[session] = name
        self.frames.setdefault(target, "top")
        return session

    def enable(self, session: str, *domains: str) -> None:
        for domain in domains:
            self.result(f"{domain}.enable", {}, session)

    def auto_attach(self, session: str | None, *, wait: bool = True) -> list[Params]:
        params = {"autoAttach": True, "waitForDebuggerOnStart": wait, "flatten": True}
        return self.send("Target.setAutoAttach", params, session)

    def attached(self, name: str) -> str:
        """Return the session that was announced last, and give it and its frame this name."""
        event = [message for message in self.inbox if message.get("method") == "Target.attachedToTarget"][-1]
        session = str(event["params"]["sessionId"])
        self.names[session] = name
        self.frames[event["params"]["targetInfo"]["targetId"]] = name
        return session


def _value(result: Params) -> str:
    if "result" in result:
        shown = result["result"]
        return f" = {shown.get('value', shown.get('description', shown['type']))}"
    return f" {result['errorText']}" if "errorText" in result else ""
