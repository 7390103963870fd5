"""An agent in forty lines, in the form of OpenAI's chat completions: any client with `chat.completions.create` will do.

    python examples/agents/openai_loop.py

plays it with a scripted model and a fake browser. For the real thing: `run(OpenAI(), model, task, Toolbox(config))`.
"""

from __future__ import annotations

from typing import Any

from shop import TASK, ScriptedModel, open_shop

from supervisor.tools import Toolbox


def run(client: Any, model: str, task: str, toolbox: Toolbox, max_turns: int = 20) -> str:
    """Let the model use the tools until it answers with text."""
    messages: list[Any] = [{"role": "user", "content": task}]
    for _ in range(max_turns):
        reply = client.chat.completions.create(model=model, messages=messages, tools=toolbox.definitions("openai"))
        message = reply.choices[0].message
        if not message.tool_calls:
            answer: str = message.content
            return answer
        messages.append(message)
        shown: list[Any] = []
        for call in message.tool_calls:
            # The arguments go in as they came, and the result is always JSON: nothing here can fail.
            result = toolbox.dispatch(call.function.name, call.function.arguments)
            print(f"{call.function.name}({call.function.arguments})")
            text, *pictures = toolbox.as_content(call.function.name, result, "openai")
            messages.append({"role": "tool", "tool_call_id": call.id, "content": [text]})
            shown += pictures
        if shown:  # a tool message takes no pictures
            messages.append({"role": "user", "content": shown})
    raise RuntimeError(f"no answer after {max_turns} turns")


if __name__ == "__main__":
    with open_shop() as shop_toolbox:
        print(run(ScriptedModel(), "scripted", TASK, shop_toolbox))
