"""google-adk with Gemini: the tools as `BaseTool`, and over MCP."""

from typing import Any

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools import BaseTool
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from google.genai import types
from mcp import StdioServerParameters

from supervisor import Config
from supervisor.tools import Toolbox


class BrowserTool(BaseTool):
    def __init__(self, toolbox: Toolbox, definition: dict[str, Any]) -> None:
        super().__init__(name=definition["name"], description=definition["description"])
        self._toolbox, self._definition = toolbox, definition

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(**self._definition)

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        result = await self._toolbox.adispatch(self.name, args)
        text, *pictures = self._toolbox.as_content(self.name, result, "gemini")
        return {"result": text["text"], "pictures": [types.Part(**picture) for picture in pictures]}


async def direct(task: str, cdp_url: str, model: str = "gemini-3-pro") -> str:
    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [BrowserTool(toolbox, definition) for definition in toolbox.definitions("gemini")]
        return await _run(task, model, tools)


async def over_mcp(task: str, cdp_url: str, model: str = "gemini-3-pro") -> str:
    command = StdioServerParameters(command="cdp-agent", args=["mcp", "--cdp-url", cdp_url])
    return await _run(
        task, model, [McpToolset(connection_params=StdioConnectionParams(server_params=command, timeout=60))]
    )


async def _run(task: str, model: str, tools: list[Any]) -> str:
    async with InMemoryRunner(LlmAgent(name="browser", model=model, tools=tools)) as runner:
        events = await runner.run_debug(task, quiet=True)
    return "".join(part.text or "" for part in events[-1].content.parts)
