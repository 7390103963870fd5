"""The live view: a local web page that shows a running supervisor, answers its dialogs, and lets a person take over.

`serve_grid` serves a page with all views that `announce` has listed.

Needs the extra `mcp` (starlette and uvicorn).

address = Address(token=secrets.token_urlsafe(24))
async with serve_live(LiveView(supervisor), address) as url:
    print(live_url(url, address))
"""

from supervisor.http_server import Address

from .announcements import AnnouncedView, announce, announced
from .approvals import Approvals, NotApproved
from .grid import serve_grid
from .view import LiveView
from .web_page import live_url, serve_live

__all__ = [
    "Address",
    "AnnouncedView",
    "Approvals",
    "LiveView",
    "NotApproved",
    "announce",
    "announced",
    "live_url",
    "serve_grid",
    "serve_live",
]
