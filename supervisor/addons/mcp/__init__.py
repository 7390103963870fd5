"""The tools as an MCP server, over stdio or streamable HTTP; needs the extra `mcp`.

config = Config(cdp_url="http://127.0.0.1:9222")
asyncio.run(serve_stdio(Agent(Toolbox(config), config)))
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cdp_typed._lazy import lazy_one_by_one

if TYPE_CHECKING:
    from supervisor.cli.session_agent import SessionAgent
    from supervisor.http_server import Address

    from .agent import Agent
    from .http import serve_http
    from .server import make_server
    from .stdio import serve_stdio

# A command says which package is missing, which it can only when it is imported without it.
_get, _names = lazy_one_by_one(
    globals(),
    {
        "Address": "supervisor.http_server",
        "Agent": "supervisor.addons.mcp.agent",
        "SessionAgent": "supervisor.cli.session_agent",
        "make_server": "supervisor.addons.mcp.server",
        "serve_http": "supervisor.addons.mcp.http",
        "serve_stdio": "supervisor.addons.mcp.stdio",
    },
)
__getattr__: Callable[[str], Any] = _get
__dir__: Callable[[], list[str]] = _names

__all__ = ["Address", "Agent", "SessionAgent", "make_server", "serve_http", "serve_stdio"]
