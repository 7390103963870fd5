"""Four services of models on loopback, in their own wire formats, with one scripted model behind them.

OpenAI's chat completions and responses, Anthropic's messages, and Gemini's `generateContent`; chat completions and
messages also as streams. A request without the browser's tools (a client that asks for a title) gets a short text.
"""

from __future__ import annotations

import json
import re
import threading
from base64 import b64decode
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from shop import ScriptedModel

from cdp_typed.wire.json_text import is_array, is_object

Json: TypeAlias = Any
FINISH = "final_answer"
"""A framework's own tool, which takes the answer."""


class Seen(NamedTuple):
    """What a request shows to the model: the tools, and what came after its last turn."""

    tools: list[str]
    is_first: bool
    text: str
    pictures: list[bytes]


class Reply(NamedTuple):
    """What the model says: a text, or a call of a tool."""

    text: str
    tool: str = ""
    arguments: Json = None


class Service(NamedTuple):
    """A wire format: how a request is read, and how a reply is written, whole or as a stream."""

    read: Callable[[Json], Seen]
    write: Callable[[Json, Reply], Json]
    stream: Callable[[Json, Reply], Iterable[tuple[str, Json]]] | None = None


class ScriptedServices:
    """Answers requests by the script, one agent at a time. `refused` holds the requests that the script refuses."""

    def __init__(self) -> None:
        self._model = ScriptedModel()
        self._lock = threading.Lock()
        self.url = ""
        self.refused: list[str] = []
        self._threads: dict[str, Json] = {}

    def continued(self, request: Json) -> Json:
        """The whole request, where one continues a thread of Anthropic's messages and has the new ones alone."""
        thread: dict[str, str] = request.get("thread") or {}
        before = self._threads.get(thread.get("previous_message_id", ""))
        return (
            request if before is None else {**before, **request, "messages": before["messages"] + request["messages"]}
        )

    def remember(self, request: Json, written: Json) -> None:
        """Keep a thread, by the id of its last message."""
        if request.get("thread"):
            said = {"role": "assistant", "content": written["content"]}
            self._threads[written["id"]] = {**request, "messages": [*request["messages"], said]}

    def reply(self, seen: Seen) -> Reply:
        """Return what the model says next."""
        full = {found[0]: name for name in seen.tools if (found := re.search(r"browser(_[a-z]+)+$", name))}
        if not full:
            return Reply("Shop")
        with self._lock:
            try:
                choice = self._model.decide(None if seen.is_first else seen.text, seen.pictures, set(full))
            except (AssertionError, ValueError) as error:
                self.refused.append(str(error))
                choice = f"refused: {error}"
        if isinstance(choice, tuple):
            return Reply("", full[choice[0]], choice[1])
        return Reply("", FINISH, {"answer": choice}) if FINISH in seen.tools else Reply(choice)


@contextmanager
def scripted_services() -> Generator[ScriptedServices]:
    """Serve on a free port of loopback."""
    services = ScriptedServices()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            kind = next((kind for kind in _SERVICES if kind in self.path), None)
            if kind is None or "count_tokens" in self.path:
                self._send("application/json", b'{"input_tokens": 1}', 200 if kind else 404)
                return
            service = _SERVICES[kind]
            request = services.continued(request)
            reply = services.reply(service.read(request))
            if request.get("stream") and service.stream is not None:
                lines = [
                    (f"event: {name}\n" if name else "")
                    + f"data: {data if isinstance(data, str) else json.dumps(data)}"
                    for name, data in service.stream(request, reply)
                ]
                self._send("text/event-stream", "".join(f"{line}\n\n" for line in lines).encode())
            else:
                written = service.write(request, reply)
                services.remember(request, written)
                self._send("application/json", json.dumps(written).encode())

        def _send(self, kind: str, body: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        services.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield services
        finally:
            server.shutdown()
            thread.join()


def _since(items: list[Json], is_model: Callable[[Json], bool]) -> list[Json] | None:
    """The items after the model's last turn; None before its first."""
    last = max((index for index, item in enumerate(items) if is_model(item)), default=None)
    return None if last is None else items[last + 1 :]


def _parts(value: Json) -> Iterator[Json]:
    """Every object inside a JSON value, in its order."""
    if is_object(value):
        yield value
        value = list(value.values())
    if is_array(value):
        for item in value:
            yield from _parts(item)


def _seen(tools: Iterable[str], news: list[Json] | None, texts: Callable[[Json], Json], url: str) -> Seen:
    """`url` is the field that has a picture, as a data URL or as base64 alone."""
    parts = list(_parts(news or []))
    pictures = [part[url] for part in parts if isinstance(part.get(url), str)]
    return Seen(
        tools=list(tools),
        is_first=news is None,
        text="\n".join(text for part in parts if isinstance(text := texts(part), str)),
        pictures=[b64decode(picture.rpartition(",")[2]) for picture in pictures],
    )


def _text_or_content(part: Json) -> Json:
    return part.get("text", part.get("content"))


def _read_chat(request: Json) -> Seen:
    tools = [tool["function"]["name"] for tool in request.get("tools") or ()]
    for message in request["messages"]:
        if message["role"] == "tool" and isinstance(message["content"], list):
            kinds = {part["type"] for part in message["content"]}
            assert kinds <= {"text"}, f"a tool message takes texts, not {kinds}"
    news = _since(request["messages"], lambda message: message["role"] == "assistant")
    return _seen(tools, news, _text_or_content, "url")


def _chat_message(reply: Reply) -> Json:
    if not reply.tool:
        return {"role": "assistant", "content": reply.text}
    function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": _id(), "type": "function", "function": function}],
    }


def _chat(request: Json, kind: str, inner: Json, reason: str | None) -> Json:
    choice = {"index": 0, **inner, "finish_reason": reason}
    used = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": _id("chatcmpl"),
        "object": kind,
        "created": 1,
        "model": request["model"],
        "choices": [choice],
        "usage": used,
    }


def _write_chat(request: Json, reply: Reply) -> Json:
    reason = "tool_calls" if reply.tool else "stop"
    return _chat(request, "chat.completion", {"message": _chat_message(reply)}, reason)


def _stream_chat(request: Json, reply: Reply) -> Iterator[tuple[str, Json]]:
    delta = _chat_message(reply)
    for call in delta.get("tool_calls", ()):
        call["index"] = 0
    yield "", _chat(request, "chat.completion.chunk", {"delta": delta}, None)
    yield "", _chat(request, "chat.completion.chunk", {"delta": {}}, "tool_calls" if reply.tool else "stop")
    yield "", "[DONE]"


def _read_responses(request: Json) -> Seen:
    given = request["input"] if isinstance(request["input"], list) else [{"role": "user", "content": request["input"]}]
    news = _since(given, lambda item: item.get("type") == "function_call" or item.get("role") == "assistant")
    tools = [tool["name"] for tool in request.get("tools") or ()]
    return _seen(tools, news, lambda part: part.get("text", part.get("output")), "image_url")


def _write_responses(request: Json, reply: Reply) -> Json:
    text: Json = {"type": "output_text", "text": reply.text, "annotations": []}
    message: Json = {"id": _id("msg"), "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    call: Json = {
        "id": _id("fc"), "type": "function_call", "call_id": _id(), "name": reply.tool,
        "arguments": json.dumps(reply.arguments), "status": "completed",
    }  # fmt: skip
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": _id("resp"), "object": "response", "created_at": 1, "model": request["model"], "status": "completed",
        "output": [call if reply.tool else message], "tools": [], "tool_choice": "auto", "parallel_tool_calls": False,
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details},
    }  # fmt: skip


def _read_messages(request: Json) -> Seen:
    tools = [tool["name"] for tool in request.get("tools") or ()]
    news = _since(request["messages"], lambda message: message["role"] == "assistant")
    return _seen(tools, news, _text_or_content, "data")


def _write_messages(request: Json, reply: Reply) -> Json:
    call = {"type": "tool_use", "id": _id("toolu"), "name": reply.tool, "input": reply.arguments}
    return {
        "id": _id("msg"), "type": "message", "role": "assistant", "model": request["model"],
        "content": [call if reply.tool else {"type": "text", "text": reply.text}], "stop_sequence": None,
        "stop_reason": "tool_use" if reply.tool else "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def _stream_messages(request: Json, reply: Reply) -> Iterator[tuple[str, Json]]:
    whole = _write_messages(request, reply)
    (block,) = whole["content"]
    empty: Json = {"input": {}} if reply.tool else {"text": ""}
    delta: Json = {"type": "text_delta", "text": reply.text}
    if reply.tool:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events: list[Json] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**block, **empty}},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    for event in events:
        yield event["type"], event


def _read_gemini(request: Json) -> Seen:
    tools = [
        declared["name"] for tool in request.get("tools") or () for declared in tool.get("functionDeclarations", ())
    ]
    news = _since(request["contents"], lambda content: content.get("role") == "model")
    return _seen(tools, news, lambda part: part.get("text", part.get("result")), "data")


def _write_gemini(request: Json, reply: Reply) -> Json:
    part = {"functionCall": {"name": reply.tool, "args": reply.arguments}} if reply.tool else {"text": reply.text}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "modelVersion": "scripted"}


def _id(kind: str = "call") -> str:
    return f"{kind}_{next(_numbers)}"


_numbers = count(1)

_SERVICES = {
    "/chat/completions": Service(_read_chat, _write_chat, _stream_chat),
    "/responses": Service(_read_responses, _write_responses),
    "/messages": Service(_read_messages, _write_messages, _stream_messages),
    ":generateContent": Service(_read_gemini, _write_gemini),
}
