"""claude-agent-sdk, which runs the Claude CLI that it brings: the tools as a server in this process, and over MCP."""

from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, query, tool

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> Any:
        async def call(arguments: dict[str, Any]) -> dict[str, Any]:
            return {"content": toolbox.as_content(name, await toolbox.adispatch(name, arguments), "mcp")}

        return tool(name, definition["description"], definition["inputSchema"])(call)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [tool_of(each["name"], each) for each in toolbox.definitions("mcp")]
        return await _run(task, model, create_sdk_mcp_server("browser", tools=tools))


async def over_mcp(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    return await _run(task, model, {"command": "cdp-agent", "args": ["mcp", "--cdp-url", cdp_url]})


async def _run(task: str, model: str, server: Any) -> str:
    options = ClaudeAgentOptions(
        model=model, tools=[], mcp_servers={"browser": server}, allowed_tools=["mcp__browser"], setting_sources=[]
    )
    results = [message async for message in query(prompt=task, options=options) if isinstance(message, ResultMessage)]
    return str(results[-1].result)
