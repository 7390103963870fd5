"""A graph of LangGraph with Anthropic's model: the tools in a `ToolNode`, and over MCP."""

from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_core.tools import StructuredTool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from supervisor import Config
from supervisor.tools import Toolbox


async def direct(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    def tool_of(name: str, definition: dict[str, Any]) -> StructuredTool:
        async def call(**arguments: Any) -> list[dict[str, Any]]:
            return toolbox.as_content(name, await toolbox.adispatch(name, arguments), "langchain")

        schema, words = definition["input_schema"], definition["description"]
        return StructuredTool(name=name, description=words, args_schema=schema, coroutine=call)

    async with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        return await _run(task, model, [tool_of(tool["name"], tool) for tool in toolbox.definitions("anthropic")])


async def over_mcp(task: str, cdp_url: str, model: str = "claude-sonnet-4-5") -> str:
    command = {"transport": "stdio", "command": "cdp-agent", "args": ["mcp", "--cdp-url", cdp_url]}
    async with MultiServerMCPClient({"browser": command}).session("browser") as session:
        return await _run(task, model, await load_mcp_tools(session))


async def _run(task: str, model: str, tools: list[Any]) -> str:
    chat = ChatAnthropic(model=model).bind_tools(tools)

    async def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await chat.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState).add_node("think", think).add_node("tools", ToolNode(tools))
    graph.add_edge(START, "think").add_conditional_edges("think", tools_condition).add_edge("tools", "think")
    state = await graph.compile().ainvoke({"messages": [("user", task)]}, {"recursion_limit": 50})
    return str(state["messages"][-1].text)
