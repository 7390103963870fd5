"""Tools for LLM agents: definitions for the model, and `dispatch`, which always answers in JSON.

    from supervisor.tools import get_definitions, dispatch

    tools = get_definitions()                       # OpenAI's form; "anthropic", "gemini", ...
    text = dispatch("browser_navigate", {"url": "https://example.com"}, task_id="t1")

Both work on a default `Toolbox`: the endpoint is that of the supervisor that runs for the task, or of the environment
(`CDP_SUPERVISOR_CDP_URL`). Make your own `Toolbox` for other toolsets, a policy, or another registry.
"""

from . import browser as browser  # registers the default tools
from .default_toolbox import adispatch, dispatch, get_definitions
from .framework.base_toolbox import BaseToolbox, CallNext, Hook, ToolCall
from .framework.policy import Policy
from .framework.result_text import ContentForm
from .framework.schemas import Form
from .framework.tool import CATALOGUE, Catalogue, GateContext, Image, Tool, ToolContext, always, has_endpoint, tool
from .framework.tool_errors import (
    HandlerAborted,
    InvalidArgument,
    PolicyRefused,
    ToolError,
    ToolUnavailable,
    UnknownTool,
)
from .framework.toolbox import Toolbox
from .framework.untrusted_text import LongPageText, PageText, PageValue, fence, shown

Refused = PolicyRefused
"""The name before; `error_type` of a result still is `Refused`."""

__all__ = [
    "CATALOGUE",
    "BaseToolbox",
    "CallNext",
    "Catalogue",
    "ContentForm",
    "Form",
    "GateContext",
    "HandlerAborted",
    "Hook",
    "Image",
    "InvalidArgument",
    "LongPageText",
    "PageText",
    "PageValue",
    "Policy",
    "PolicyRefused",
    "Refused",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolError",
    "ToolUnavailable",
    "Toolbox",
    "UnknownTool",
    "adispatch",
    "always",
    "dispatch",
    "fence",
    "get_definitions",
    "has_endpoint",
    "shown",
    "tool",
]
