"""openai-agents with OpenAI's responses: the tools as function tools, and over MCP."""

from typing import Any

from agents import Agent, FunctionTool, Runner, ToolOutputImage, ToolOutputText
from agents.mcp import MCPServerStdio

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> FunctionTool:
        async def call(context: Any, arguments: str) -> list[ToolOutputText | ToolOutputImage]:
            result = await toolbox.adispatch(name, arguments)
            text, *pictures = toolbox.as_content(name, result, "openai-responses")
            shown = [ToolOutputImage(image_url=picture["image_url"], detail="auto") for picture in pictures]
            return [ToolOutputText(text=text["text"]), *shown]

        return FunctionTool(name, definition["description"], definition["parameters"], call)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [tool_of(tool["name"], tool) for tool in toolbox.definitions("openai-responses")]
        return str(
            (await Runner.run(Agent("browser", model=model, tools=list(tools)), task, max_turns=20)).final_output
        )


async def over_mcp(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    command = {"command": "cdp-agent", "args": ["mcp", "--cdp-url", cdp_url]}
    async with MCPServerStdio(command, client_session_timeout_seconds=60) as server:
        agent = Agent("browser", model=model, mcp_servers=[server])
        return str((await Runner.run(agent, task, max_turns=20)).final_output)
