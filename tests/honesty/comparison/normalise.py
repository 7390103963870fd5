"""Traffic in a comparable form: roles in place of ids, paths in place of URLs, one lane for each speaker."""

from __future__ import annotations

import difflib
import json
import zlib
from typing import Any, Final

from cdp_typed.wire.json_text import is_array, is_object
from tests.honesty.comparison.known_differences import (
    BLURRED,
    DIFFERENCES,
    FIRST_LINES,
    OF_THE_SERVER,
    OFFSET,
    REFUSAL,
)
from tests.honesty.comparison.roles import Roles
from tests.honesty.player import Params, Stage, Trace

Lanes = dict[str, list[str]]
_LONGEST: Final = 1000
_BROWSERS: Final = ("Target.", "Inspector.", "Page.javascriptDialog", "Browser.", "Fetch.")


def normalised(scenario: str, trace: Trace, stage: Stage) -> Lanes:
    """Return the received messages by lane; a lane's order is guaranteed, the order between lanes is not.

    A lane is what the browser process sends on a session about one target, or what a renderer sends there about one
    frame, or the outcome of one call.
    """
    roles = Roles(trace, stage)
    lanes: Lanes = {}
    calls: dict[tuple[str, int], str] = {}
    numbers: dict[str, int] = {}
    begun: set[str] = set()
    for entry in trace:
        session, message = roles.session(entry), entry.message
        if entry.sent:
            numbers[session] = numbers.get(session, 0) + 1
            lane = f"{session}: call {numbers[session]}, {message['method']}"
            calls[entry.connection, message["id"]] = lane
            lanes[lane] = []
        elif "id" in message:
            lane = calls[entry.connection, message["id"]]
            if not any(difference.leaves_open(scenario, lane) for difference in DIFFERENCES):
                lanes[lane].append(_outcome(roles, message))
        elif not _is_late_end(message, session, begun) and not roles.is_foreign(message):
            line = _event(roles, message)
            if not any(difference.hides(scenario, line) for difference in DIFFERENCES):
                lanes.setdefault(f"{session}: {_speaker(roles, message)}", []).append(line)
    return lanes


def is_refusal(outcome: list[str]) -> bool:
    """Return whether the outcome of a call is that the mock says clearly that it does not know."""
    return len(outcome) == 1 and outcome[0].startswith(("result ", "error ")) and bool(REFUSAL.search(outcome[0]))


def compare(mock: Lanes, chromium: Lanes, scenario: str = "", *, sides: tuple[str, str] = ("mock", "Chromium")) -> str:
    """Return the difference, lane by lane, as text; empty if there is none but refusals on the list.

    `sides` are the names of the two in the text.
    """
    labels = {"- ": f"{sides[1]} only:", "+ ": f"{sides[0]} only:", "  ": "both:"}
    width = max(map(len, labels.values()))
    differences: list[str] = []
    for lane in dict.fromkeys([*chromium, *mock]):
        chromium_lines, mock_lines = chromium.get(lane, []), mock.get(lane, [])
        refused = is_refusal(mock_lines) and any(known.refuses(scenario, lane) for known in DIFFERENCES)
        if chromium_lines != mock_lines and not refused:
            shown = [line for line in difflib.ndiff(chromium_lines, mock_lines) if line[:2] in labels]
            differences.append("\n".join([lane, *(f"  {labels[line[:2]]:<{width}} {line[2:]}" for line in shown)]))
    return "\n".join(differences)


def _is_late_end(message: Params, session: str, begun: set[str]) -> bool:
    """Return whether this ends the load of a new tab's `about:blank`, which a client may attach too late to get."""
    if message["method"] in ("Page.frameStartedLoading", "Page.frameNavigated"):
        begun.add(session)
    return message["method"] == "Page.frameStoppedLoading" and session not in begun


def _speaker(roles: Roles, message: Params) -> str:
    method, params = message["method"], message["params"]
    if method.startswith(_BROWSERS):
        told = method in ("Target.targetCreated", "Target.targetInfoChanged")
        return f"the browser of {roles.text(params['targetInfo']['targetId'])}" if told else "the browser"
    if method.endswith("ExtraInfo"):
        return "the network"
    context = params.get("context", {})
    frame = params.get("frameId") or params.get("frame", {}).get("id") or context.get("auxData", {}).get("frameId")
    return roles.text(frame) if frame else "the requests" if "requestId" in params else "the renderer"


def _event(roles: Roles, message: Params) -> str:
    return f"{message['method']} {_plain(roles, message, 'params')}"


def _outcome(roles: Roles, message: Params) -> str:
    kind = "result" if "result" in message else "error"
    return f"{kind} {_plain(roles, message, kind)}"


def _plain(roles: Roles, message: Params, part: str) -> str:
    blur = _Blur(roles, message.get("sessionId"), message.get("method", ""))
    return json.dumps(blur.value(message[part]), sort_keys=True)


def _shortened(text: str) -> str:
    """Return a long text as its beginning, its length and a checksum."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:50]}... ({len(text)} characters, CRC {zlib.crc32(text.encode(errors='surrogatepass')):08x})"


class _Blur:
    """Plain JSON without the values that differ from run to run."""

    def __init__(self, roles: Roles, session: str | None, method: str) -> None:
        self._roles = roles
        self._session = session
        self._method = method

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return _shortened(self._roles.text(value))
        if is_array(value):
            items = [self.value(item) for item in value]
            cookies = all(is_object(item) and "sourceScheme" in item.get("cookie", item) for item in value)
            # Chromium keeps cookies in no order.
            return sorted(items, key=json.dumps) if cookies else items
        if is_object(value):
            return self._object(value)
        return value

    def _object(self, value: Params) -> Params:
        fields = {
            name: self._field(name, item)
            for name, item in value.items()
            if not any(difference.omits(self._method, name) for difference in DIFFERENCES)
        }
        if "uniqueId" in value:
            fields["id"] = self._roles.context(self._session, value["id"])
        if "sourceScheme" in value:
            fields |= {"sourcePort": "...", **({"expires": "..."} if value.get("expires", -1) != -1 else {})}
        if "userTypedURL" in value:
            fields["id"] = "..."  # entries of the history are numbered for the whole browser
        if value.get("type") == "page" and value.get("url") in ("", "about:blank"):
            fields |= {"url": "about:blank", "title": "..."}  # a moment after it opened they are the same
        return fields

    def _headers(self, value: Any) -> Any:
        headers = {pair["name"]: pair["value"] for pair in value} if is_array(value) else dict(value)
        left_out = OF_THE_SERVER if "Server" in headers else ()
        shown = {"User-Agent": "...", "Host": self._roles.text(f"http://{headers.get('Host')}")}
        return {name: self.value(shown.get(name, text)) for name, text in headers.items() if name not in left_out}

    def _field(self, name: str, value: Any) -> Any:
        if name in ("executionContextId", "contextId") and isinstance(value, int):
            return self._roles.context(self._session, value)
        if name in BLURRED:
            return "..."
        if name in ("headers", "responseHeaders"):
            return self._headers(value)
        if name == "data" and isinstance(value, str):
            return self._roles.text(OFFSET.sub("", value))
        if name in FIRST_LINES and isinstance(value, str):
            return self._roles.text(value.partition("\n")[0])
        return self.value(value)
