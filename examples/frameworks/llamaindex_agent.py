"""LlamaIndex's agent with OpenAI's responses: the tools as function tools, and over MCP.

Over MCP it begins a session for each call, and over stdio a server: the browser's server has to run over HTTP. It
writes pictures of results into their text, as base64: that server has to leave `browser_vision` out.
"""

from base64 import b64decode
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool, ToolMetadata
from llama_index.llms.openai import OpenAIResponses
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from supervisor import Config
from supervisor.tools import Toolbox


class Metadata(ToolMetadata):
    """Takes the schema of the arguments, where LlamaIndex has a class of Pydantic."""

    def __init__(self, definition: dict[str, Any]) -> None:
        super().__init__(definition["description"], definition["name"])
        self.schema = definition["input_schema"]

    def get_parameters_dict(self) -> dict[str, Any]:
        return dict(self.schema)


async def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> FunctionTool:
        async def call(**arguments: Any) -> list[TextBlock | ImageBlock]:
            result = await toolbox.adispatch(name, arguments)
            text, *pictures = toolbox.as_content(name, result, "mcp")
            return [
                TextBlock(text=text["text"]),
                *(ImageBlock(image=b64decode(each["data"]), image_mimetype=each["mimeType"]) for each in pictures),
            ]

        return FunctionTool(async_fn=call, metadata=Metadata(definition))

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        return await _run(task, model, [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")])


async def over_mcp(task: str, url: str, token: str, model: str = "gpt-5") -> str:
    client = BasicMCPClient(url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    return await _run(task, model, await McpToolSpec(client).to_tool_list_async())


async def _run(task: str, model: str, tools: list[FunctionTool]) -> str:
    agent = FunctionAgent(tools=list(tools), llm=OpenAIResponses(model=model), streaming=False)
    return str(await agent.run(task))
