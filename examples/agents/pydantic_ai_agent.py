"""The same agent with Pydantic AI (`pip install pydantic-ai-slim`): `tools_of(toolbox)` goes into any `Agent`.

    python examples/agents/pydantic_ai_agent.py

plays it with a scripted model and a fake browser. For the real thing: `Agent("openai:...", tools=tools_of(toolbox))`.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, Tool, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from shop import TASK, ScriptedModel, open_shop

from supervisor.tools import Toolbox


def tools_of(toolbox: Toolbox) -> list[Tool[Any]]:
    """Every tool that can be used now; a browser takes one thing after another."""

    def make(name: str, description: str, schema: dict[str, Any]) -> Tool[Any]:
        async def call(**arguments: Any) -> Any:
            print(f"{name}({json.dumps(arguments)})")
            return json.loads(await toolbox.adispatch(name, arguments))

        return Tool.from_schema(call, name, description, schema, sequential=True)

    return [make(one["name"], one["description"], one["input_schema"]) for one in toolbox.definitions("anthropic")]


def scripted(script: ScriptedModel) -> FunctionModel:
    """The model of the other examples, as one of Pydantic AI's."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        returned = [one.model_response_str() for one in messages[-1].parts if isinstance(one, ToolReturnPart)]
        choice = script.decide(json.loads(returned[0]) if returned else None, {one.name for one in info.function_tools})
        return ModelResponse(parts=[TextPart(choice) if isinstance(choice, str) else ToolCallPart(*choice)])

    return FunctionModel(answer)


if __name__ == "__main__":
    with open_shop() as shop_toolbox:
        agent = Agent(scripted(ScriptedModel()), tools=tools_of(shop_toolbox))
        print(agent.run_sync(TASK).output)
