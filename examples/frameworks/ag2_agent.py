"""AG2 with OpenAI's responses: the tools as tools with a schema, and over MCP.

It begins a session for each call, and over stdio a server: the browser's server has to run over HTTP.
"""

from base64 import b64decode
from typing import Any

from ag2 import Agent, ImageInput, TextInput, ToolResult, tool
from ag2.config import OpenAIResponsesConfig
from ag2.tools import MCPServerConfig, MCPToolkit

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> Any:
        async def call(**arguments: Any) -> ToolResult:
            arguments.pop("__ctx__", None)  # AG2's own
            result = await toolbox.adispatch(name, arguments)
            text, *pictures = toolbox.as_content(name, result, "mcp")
            shown = [ImageInput(data=b64decode(each["data"]), media_type=each["mimeType"]) for each in pictures]
            return ToolResult(TextInput(text["text"]), *shown)

        return tool(call, name=name, description=definition["description"], schema=definition["input_schema"])

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        return await _run(task, model, [tool_of(each["name"], each) for each in toolbox.definitions("anthropic")])


async def over_mcp(task: str, url: str, token: str, model: str = "gpt-5") -> str:
    return await _run(task, model, [MCPToolkit(MCPServerConfig(server_url=url, authorization_token=token))])


async def _run(task: str, model: str, tools: list[Any]) -> str:
    agent = Agent("browser", config=OpenAIResponsesConfig(model=model), tools=tools)
    return str((await agent.ask(task)).body)
