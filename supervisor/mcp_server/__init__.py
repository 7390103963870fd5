"""The tools as an MCP server, over stdio or streamable HTTP; needs the extra `mcp`.

config = Config(cdp_url="http://127.0.0.1:9222")
asyncio.run(serve_stdio(Agent(Toolbox(config), config)))
"""

from supervisor.http_server import Address

from .agent import Agent
from .http import serve_http
from .server import make_server
from .session_agent import SessionAgent
from .stdio import serve_stdio

__all__ = ["Address", "Agent", "SessionAgent", "make_server", "serve_http", "serve_stdio"]
