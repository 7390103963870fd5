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
    """Return every tool that can be used now; they run one after the other, as they share a browser."""

    def make(name: str, description: str, schema: dict[str, Any]) -> Tool[Any]:
        async def call(**arguments: Any) -> Any:
            print(f"{name}({json.dumps(arguments)})")
            return json.loads(await toolbox.adispatch(name, arguments))

        return Tool.from_schema(call, name, description, schema, sequential=True)

    definitions = toolbox.definitions("anthropic")
    return [make(tool["name"], tool["description"], tool["input_schema"]) for tool in definitions]


def scripted(script: ScriptedModel) -> FunctionModel:
    """Return the scripted model of the other examples as a model of Pydantic AI."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        results = [part.model_response_str() for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        choice = script.decide(json.loads(results[0]) if results else None, {tool.name for tool in info.function_tools})
        return ModelResponse(parts=[TextPart(choice) if isinstance(choice, str) else ToolCallPart(*choice)])

    return FunctionModel(answer)


if __name__ == "__main__":
    with open_shop() as shop_toolbox:
        agent = Agent(scripted(ScriptedModel()), tools=tools_of(shop_toolbox))
        print(agent.run_sync(TASK).output)
