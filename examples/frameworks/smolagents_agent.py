"""smolagents with OpenAI's chat completions: the tools as `Tool`. Pictures reach the model as images of a step.

Over MCP it has no example: mcpadapt (0.1.19) forgets which arguments are required, and smolagents then demands all.
"""

from base64 import b64decode
from io import BytesIO
from typing import Any

import PIL.Image
from smolagents import OpenAIModel, Tool, ToolCallingAgent

from supervisor import Config
from supervisor.tools import Toolbox


class BrowserTool(Tool):
    output_type = "object"
    skip_forward_signature_validation = True

    def __init__(self, toolbox: Toolbox, definition: dict[str, Any]) -> None:
        schema = definition["input_schema"]
        required = schema.get("required", [])
        self.name, self.description, self.toolbox = definition["name"], definition["description"], toolbox
        self.inputs = {
            name: {"type": "any", "description": "", "nullable": name not in required, **field}
            for name, field in schema["properties"].items()
        }
        super().__init__()

    def forward(self, **arguments: Any) -> Any:
        result = self.toolbox.dispatch(self.name, arguments)
        text, *pictures = self.toolbox.as_content(self.name, result, "mcp")
        return PIL.Image.open(BytesIO(b64decode(pictures[0]["data"]))) if pictures else text["text"]


def show(step: Any, agent: Any) -> None:
    step.observations_images = [agent.state.pop("image.png").to_raw()] if "image.png" in agent.state else None


def direct(task: str, cdp_url: str, model: str = "gpt-5") -> str:
    with Toolbox(Config(cdp_url=cdp_url)) as toolbox:
        tools = [BrowserTool(toolbox, definition) for definition in toolbox.definitions("anthropic")]
        return str(ToolCallingAgent(tools, OpenAIModel(model), step_callbacks=[show]).run(task))
