"""The tool runner of Anthropic's client: the tools as functions, and over MCP."""

from typing import Any

from anthropic import AsyncAnthropic, beta_async_tool
from anthropic.lib.tools.mcp import async_mcp_tool
from mcp import ClientSession, StdioServerParameters, stdio_client

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> Any:
        async def call(**arguments: Any) -> Any:
            return toolbox.as_content(name, await toolbox.adispatch(name, arguments), "anthropic")

        return beta_async_tool(call, **definition)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        return await _run(task, model, [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")])


async def over_mcp(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    server = StdioServerParameters(command="cdp-agent", args=["mcp", "--cdp-url", cdp_url])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return await _run(task, model, [async_mcp_tool(tool, session) for tool in (await session.list_tools()).tools])


async def _run(task: str, model: str, tools: list[Any]) -> str:
    runner = AsyncAnthropic().beta.messages.tool_runner(
        model=model, max_tokens=4096, tools=tools, messages=[{"role": "user", "content": task}]
    )
    return "".join(block.text for block in (await runner.until_done()).content if block.type == "text")
