"""CrewAI with OpenAI's chat completions: the tools as `BaseTool`, whose results are text without pictures.

Over MCP it has no example: CrewAI (1.15) connects anew for each call, so that a server over stdio forgets the dialog,
and over HTTP the call fails with "Error during MCP client disconnect: no running event loop".
"""

from typing import Any

from crewai import LLM, Agent
from crewai.tools import BaseTool
from crewai.utilities.pydantic_schema_utils import create_model_from_schema

from supervisor import Config
from supervisor.tools import Toolbox


class BrowserTool(BaseTool):
    toolbox: Any

    def _run(self, **arguments: Any) -> str:
        return self.toolbox.as_text(self.name, self.toolbox.dispatch(self.name, arguments))


def direct(task: str, cdp_url: str, model: str = "openai/gpt-5") -> str:
    with Toolbox(Config(cdp_url=cdp_url), disabled=["browser_vision"]) as toolbox:
        tools = []
        for tool in toolbox.definitions("anthropic"):
            schema = create_model_from_schema(tool["input_schema"])
            words = tool["description"]
            tools.append(BrowserTool(name=tool["name"], description=words, args_schema=schema, toolbox=toolbox))
        agent = Agent(role="browser", goal="answer", backstory="careful", llm=LLM(model=model), tools=tools)
        return str(agent.kickoff(task).raw)
