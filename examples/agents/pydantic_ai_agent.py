"""The same agent with Pydantic AI (`pip install pydantic-ai-slim`): `tools_of(toolbox)` goes into any `Agent`.

    python examples/agents/pydantic_ai_agent.py

plays it with a scripted model and a fake browser. For the real thing: `Agent("openai:...", tools=tools_of(toolbox))`.
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelMessage,
    ModelResponse,
    TextPart,
    Tool,
    ToolCallPart,
    ToolReturn,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from shop import TASK, ScriptedModel, open_shop

from supervisor.tools import Toolbox


def tools_of(toolbox: Toolbox) -> list[Tool[Any]]:
    """Return every tool that can be used now; they run one after the other, as they share a browser."""

    def make(name: str, description: str, schema: dict[str, Any]) -> Tool[Any]:
        async def call(**arguments: Any) -> Any:
            print(f"{name}({json.dumps(arguments)})")
            result = await toolbox.adispatch(name, arguments)
            text, *pictures = toolbox.as_content(name, result, "mcp")
            shown = [BinaryContent(b64decode(picture["data"]), media_type=picture["mimeType"]) for picture in pictures]
            return ToolReturn(text["text"], content=shown or None)

        return Tool.from_schema(call, name, description, schema, sequential=True)

    definitions = toolbox.definitions("anthropic")
    return [make(tool["name"], tool["description"], tool["input_schema"]) for tool in definitions]


def scripted(script: ScriptedModel) -> FunctionModel:
    """Return the scripted model of the other examples as a model of Pydantic AI."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = messages[-1].parts
        results = [part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)]
        shown = [item for part in parts if isinstance(part, UserPromptPart) for item in part.content]
        pictures = [item.data for item in shown if isinstance(item, BinaryContent)]
        choice = script.decide(results[0] if results else None, pictures, {tool.name for tool in info.function_tools})
        return ModelResponse(parts=[TextPart(choice) if isinstance(choice, str) else ToolCallPart(*choice)])

    return FunctionModel(answer)


if __name__ == "__main__":
    with open_shop() as shop_toolbox:
        agent = Agent(scripted(ScriptedModel()), tools=tools_of(shop_toolbox))
        print(agent.run_sync(TASK).output)
