"""Strands with OpenAI's chat completions: the tools as `PythonAgentTool`, and over MCP."""

from base64 import b64decode
from typing import Any

from mcp import StdioServerParameters, stdio_client
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient
from strands.tools.tools import PythonAgentTool

from supervisor import Config
from supervisor.tools import Toolbox


def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> PythonAgentTool:
        async def call(use: Any, **_: Any) -> dict[str, Any]:
            result = await toolbox.adispatch(name, use["input"])
            text, *pictures = toolbox.as_content(name, result, "mcp")
            shown = [
                {"image": {"format": each["mimeType"].partition("/")[2], "source": {"bytes": b64decode(each["data"])}}}
                for each in pictures
            ]
            return {"toolUseId": use["toolUseId"], "status": "success", "content": [{"text": text["text"]}, *shown]}

        schema, words = {"json": definition["input_schema"]}, definition["description"]
        return PythonAgentTool(name, {"name": name, "description": words, "inputSchema": schema}, call)

    with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")]
        return str(Agent(OpenAIModel(model_id=model), tools=tools, callback_handler=None)(task)).strip()


def over_mcp(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    command = StdioServerParameters(command="cdp-agent", args=["mcp", "--cdp-url", cdp_url])
    with MCPClient(lambda: stdio_client(command)) as server:
        tools = server.list_tools_sync()
        return str(Agent(OpenAIModel(model_id=model), tools=tools, callback_handler=None)(task)).strip()
