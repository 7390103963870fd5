"""The scene of the examples: a shop in a mock browser, and a model that follows a script.

The model is as strict as the real services: it refuses a tool call without its result, a call of a tool that was not
offered, a schema that is not strict, and a picture in a message that takes none.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer
from cdp_typed.protocol import page
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox

SHOP = "http://shop.example/"
PAY = "http://pay.example/form"
TASK = f"Open {SHOP}, look at it, and tell me where its payment form comes from."
PNG = b"\x89PNG\r\n\x1a\n"


def shop_site() -> Site:
    """The shop shows a dialog while it loads; its payment form is cross-origin."""
    return Site(
        {
            SHOP: Page(title="Shop", script="confirm('Empty the cart?')", frames=[Frame(PAY, "payment")]),
            PAY: Page(title="Pay"),
        }
    )


def picture() -> bytes:
    """A PNG of 64 x 48 white pixels: the mock browser draws nothing."""
    rows = zlib.compress(b"".join(b"\0" + b"\xff" * 64 for _ in range(48)))
    parts = (b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")
    return PNG + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


@contextmanager
def shop_browser() -> Generator[ThreadedMockServer]:
    """Yield a mock browser with the shop, and with a picture of it."""
    area = {"pageX": 0, "pageY": 0, "clientWidth": 64, "clientHeight": 48}
    visible = {**area, "offsetX": 0, "offsetY": 0, "scale": 1}
    size = {"x": 0, "y": 0, "width": 64, "height": 48}
    with ThreadedMockServer(shop_site()) as server:
        server.browser.on(
            page.GetLayoutMetrics,
            {
                "layoutViewport": area, "visualViewport": visible, "contentSize": size,
                "cssLayoutViewport": area, "cssVisualViewport": visible, "cssContentSize": size,
            },
        )  # fmt: skip
        server.browser.on(page.CaptureScreenshot, {"data": b64encode(picture()).decode()})
        yield server


@contextmanager
def open_shop() -> Generator[Toolbox]:
    """Yield a toolbox over a mock browser with the shop."""
    registry = SupervisorRegistry()
    with shop_browser() as browser:
        yield Toolbox(Config(cdp_url=browser.url), registry=registry)
        registry.stop_all()


class ScriptedModel:
    """Has the interface of both clients. It decides by the text and the pictures of the last result."""

    def __init__(self) -> None:
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._complete))
        self.messages = SimpleNamespace(create=self._message)
        self._last = ""
        self._calls = 0
        self._asked = self._form = ""

    def decide(
        self, text: str | None, pictures: Sequence[bytes], offered: set[str]
    ) -> tuple[str, dict[str, Any]] | str:
        """Return the next tool call, or the final answer, after the last result. Raises `AssertionError` when the
        result lacks what a model needs."""
        choice = self._choose(text, pictures, offered)
        assert isinstance(choice, str) or choice[0] in offered, f"{choice[0]} is not offered"
        self._last = "" if isinstance(choice, str) else choice[0]
        return choice

    def _choose(
        self, text: str | None, pictures: Sequence[bytes], offered: set[str]
    ) -> tuple[str, dict[str, Any]] | str:
        if text is None:
            return "browser_navigate", {"url": SHOP}
        match self._last:
            case "browser_navigate":
                dialog = re.search(r'(d-\d+) confirm "(.*?)"', text)
                assert dialog, f"no dialog in {text!r}"
                self._asked = dialog[2]
                return "browser_dialog", {"action": "dismiss", "dialog_id": dialog[1]}
            case "browser_dialog":
                assert "accepted=false" in text, text
                return "browser_wait", {"until": "loaded"}
            case "browser_wait":
                return "browser_snapshot", {}
            case "browser_snapshot":
                form = re.search(r"http://pay\.example", text)
                assert form, f"no payment form in {text!r}"
                self._form = form[0]
                return (
                    ("browser_vision", {"format": "png"}) if "browser_vision" in offered else self._answer("no picture")
                )
            case _:
                (picture,) = pictures
                assert picture.startswith(PNG), picture[:16]
                return self._answer("a picture")

    def _answer(self, seen: str) -> str:
        return f"The payment form comes from {self._form}. I was asked: {self._asked} I said no. I saw {seen}."

    def _complete(self, *, model: str, messages: list[Any], tools: list[Any]) -> SimpleNamespace:
        assert all(tool["function"]["strict"] for tool in tools)
        urls: list[str] = []
        while messages[-1]["role"] == "user" and len(messages) > 1:
            *messages, shown = messages
            urls += [part["image_url"]["url"] for part in shown["content"]]
        last, text = messages[-1], None
        if last["role"] == "tool":
            assert last["tool_call_id"] == f"call_{self._calls}"
            text = "".join(part["text"] for part in last["content"])
        pictures = [b64decode(url.removeprefix("data:image/png;base64,")) for url in urls]
        choice = self.decide(text, pictures, {tool["function"]["name"] for tool in tools})
        if isinstance(choice, str):
            return _completion(SimpleNamespace(role="assistant", content=choice, tool_calls=None))
        self._calls += 1
        function = SimpleNamespace(name=choice[0], arguments=json.dumps(choice[1]))
        call = SimpleNamespace(id=f"call_{self._calls}", type="function", function=function)
        return _completion(SimpleNamespace(role="assistant", content=None, tool_calls=[call]))

    def _message(self, *, model: str, max_tokens: int, messages: list[Any], tools: list[Any]) -> SimpleNamespace:
        last, text, pictures = messages[-1]["content"], None, []
        if not isinstance(last, str):
            (result,) = last
            assert result["tool_use_id"] == f"toolu_{self._calls}"
            text = "".join(block["text"] for block in result["content"] if block["type"] == "text")
            pictures = [b64decode(block["source"]["data"]) for block in result["content"] if block["type"] == "image"]
        choice = self.decide(text, pictures, {tool["name"] for tool in tools})
        if isinstance(choice, str):
            return SimpleNamespace(stop_reason="end_turn", content=[SimpleNamespace(type="text", text=choice)])
        self._calls += 1
        block = SimpleNamespace(type="tool_use", id=f"toolu_{self._calls}", name=choice[0], input=choice[1])
        return SimpleNamespace(stop_reason="tool_use", content=[block])


def _completion(message: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(choices=[SimpleNamespace(message=message)])
