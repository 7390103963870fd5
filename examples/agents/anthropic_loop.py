"""The same agent in the form of Anthropic's messages: any client with `messages.create` will do.

    python examples/agents/anthropic_loop.py

plays it with a scripted model and a fake browser. For the real thing: `run(Anthropic(), model, task, Toolbox(config))`.
"""

from __future__ import annotations

import json
from typing import Any

from shop import TASK, ScriptedModel, open_shop

from supervisor.tools import Toolbox


def run(client: Any, model: str, task: str, toolbox: Toolbox, max_turns: int = 20) -> str:
    """Let the model use the tools until it answers with text."""
    messages: list[Any] = [{"role": "user", "content": task}]
    for _ in range(max_turns):
        reply = client.messages.create(
            model=model, max_tokens=4096, messages=messages, tools=toolbox.definitions("anthropic")
        )
        if reply.stop_reason != "tool_use":
            return "".join(block.text for block in reply.content if block.type == "text")
        messages.append({"role": "assistant", "content": reply.content})
        results: list[Any] = []
        for block in reply.content:
            if block.type == "tool_use":
                result = toolbox.dispatch(block.name, block.input)
                print(f"{block.name}({json.dumps(block.input)})")
                is_error = not json.loads(result)["success"]
                content = toolbox.as_content(block.name, result, "anthropic")
                results.append(
                    {"type": "tool_result", "tool_use_id": block.id, "content": content, "is_error": is_error}
                )
        messages.append({"role": "user", "content": results})
    raise RuntimeError(f"no answer after {max_turns} turns")


if __name__ == "__main__":
    with open_shop() as shop_toolbox:
        print(run(ScriptedModel(), "scripted", TASK, shop_toolbox))
