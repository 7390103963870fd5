"""LangChain's agent with OpenAI's responses: the tools as structured tools, and over MCP."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langchain_openai import ChatOpenAI

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> StructuredTool:
        async def call(**arguments: Any) -> list[dict[str, Any]]:
            return toolbox.as_content(name, await toolbox.adispatch(name, arguments), "langchain")

        schema, words = definition["input_schema"], definition["description"]
        return StructuredTool(name=name, description=words, args_schema=schema, coroutine=call)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        return await _run(task, model, [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")])


async def over_mcp(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    command = {"transport": "stdio", "command": "cdp-agent", "args": ["mcp", "--cdp-url", cdp_url]}
    async with MultiServerMCPClient({"browser": command}).session("browser") as session:
        return await _run(task, model, await load_mcp_tools(session))


async def _run(task: str, model: str, tools: list[Any]) -> str:
    agent = create_agent(ChatOpenAI(model=model, use_responses_api=True), tools)
    state = await agent.ainvoke({"messages": [("user", task)]}, {"recursion_limit": 50})
    return str(state["messages"][-1].text)
