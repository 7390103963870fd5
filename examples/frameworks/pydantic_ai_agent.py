"""Pydantic AI with OpenAI's chat completions: the tools as tools with a schema, and over MCP."""

from base64 import b64decode
from typing import Any

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, BinaryContent, Tool, ToolReturn
from pydantic_ai.mcp import MCPToolset

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "openai-chat:gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> Tool[Any]:
        async def call(**arguments: Any) -> ToolReturn:
            result = await toolbox.adispatch(name, arguments)
            text, *pictures = toolbox.as_content(name, result, "mcp")
            shown = [BinaryContent(b64decode(picture["data"]), media_type=picture["mimeType"]) for picture in pictures]
            return ToolReturn(text["text"], content=shown or None)

        return Tool.from_schema(call, name, definition["description"], definition["input_schema"], sequential=True)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")]
        return (await Agent(model, tools=tools).run(task)).output


async def over_mcp(task: str, cdp_url: str, model: str = "openai-chat:gpt-5") -> str:
    server = MCPToolset(StdioTransport("cdp-agent", ["mcp", "--cdp-url", cdp_url]))
    async with Agent(model, toolsets=[server]) as agent:
        return (await agent.run(task)).output
