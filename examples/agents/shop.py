"""The scene of the examples: a shop in a mock browser, and a model that follows a script.

The model is as strict as the real services: it refuses a tool call without its result, a call of a tool that was not
offered, and a schema that is not strict.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox

SHOP = "http://shop.example/"
TASK = f"Open {SHOP}, and tell me where its payment form comes from."


@contextmanager
def open_shop() -> Generator[Toolbox]:
    """Yield a toolbox over a mock browser. The shop shows a dialog while it loads; its payment form is cross-origin."""
    pay = "http://pay.example/form"
    site = Site(
        {
            SHOP: Page(title="Shop", script="confirm('Empty the cart?')", frames=[Frame(pay, "payment")]),
            pay: Page(title="Pay"),
        }
    )
    registry = SupervisorRegistry()
    with ThreadedMockServer(site) as browser:
        yield Toolbox(Config(cdp_url=browser.url), registry=registry)
        registry.stop_all()


class ScriptedModel:
    """Has the interface of both clients, and decides by the last result alone."""

    def __init__(self) -> None:
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._complete))
        self.messages = SimpleNamespace(create=self._message)
        self._calls = 0

    def decide(self, last: dict[str, Any] | None, offered: set[str]) -> tuple[str, dict[str, Any]] | str:
        """Return the next tool call, or the final answer, after the last result."""
        if last is None:
            choice: tuple[str, dict[str, Any]] = ("browser_navigate", {"url": SHOP})
        elif "pending_dialogs" in last:
            choice = ("browser_dialog", {"action": "dismiss", "dialog_id": last["pending_dialogs"][0]["id"]})
        elif "dialog_id" in last:
            choice = ("browser_wait", {"until": "loaded"})
        elif "page" not in last:
            choice = ("browser_snapshot", {})
        else:
            (form,) = last["frame_tree"]["children"]
            messages = ", ".join(dialog["message"] for dialog in last["recent_dialogs"])
            return f"The payment form comes from {form['origin']}. I was asked: {messages} I said no."
        assert choice[0] in offered
        return choice

    def _complete(self, *, model: str, messages: list[Any], tools: list[Any]) -> SimpleNamespace:
        assert all(tool["function"]["strict"] for tool in tools)
        last = messages[-1]
        if last["role"] == "tool":
            assert last["tool_call_id"] == f"call_{self._calls}"
        content = json.loads(last["content"]) if last["role"] == "tool" else None
        choice = self.decide(content, {tool["function"]["name"] for tool in tools})
        if isinstance(choice, str):
            return _completion(SimpleNamespace(role="assistant", content=choice, tool_calls=None))
        self._calls += 1
        function = SimpleNamespace(name=choice[0], arguments=json.dumps(choice[1]))
        call = SimpleNamespace(id=f"call_{self._calls}", type="function", function=function)
        return _completion(SimpleNamespace(role="assistant", content=None, tool_calls=[call]))

    def _message(self, *, model: str, max_tokens: int, messages: list[Any], tools: list[Any]) -> SimpleNamespace:
        last = messages[-1]["content"]
        content = None
        if not isinstance(last, str):
            (result,) = last
            assert result["tool_use_id"] == f"toolu_{self._calls}"
            content = json.loads(result["content"])
        choice = self.decide(content, {tool["name"] for tool in tools})
        if isinstance(choice, str):
            return SimpleNamespace(stop_reason="end_turn", content=[SimpleNamespace(type="text", text=choice)])
        self._calls += 1
        block = SimpleNamespace(type="tool_use", id=f"toolu_{self._calls}", name=choice[0], input=choice[1])
        return SimpleNamespace(stop_reason="tool_use", content=[block])


def _completion(message: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(choices=[SimpleNamespace(message=message)])
