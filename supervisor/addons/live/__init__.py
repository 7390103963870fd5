"""The live view: a local web page that shows a running supervisor, answers its dialogs, and lets a person take over.

`serve_grid` serves a page with all views that `announce` has listed.

Needs the extra `mcp` (starlette and uvicorn).

address = Address(token=secrets.token_urlsafe(24))
async with serve_live(LiveView(supervisor), address) as url:
    print(live_url(url, address))
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cdp_typed._lazy import lazy_one_by_one

if TYPE_CHECKING:
    from supervisor.http_server import Address

    from .announcements import AnnouncedView, announce, announced
    from .approvals import Approvals, NotApproved
    from .grid import serve_grid
    from .view import LiveView
    from .web_page import live_url, serve_live

# A command says which package is missing, which it can only when it is imported without it.
_get, _names = lazy_one_by_one(
    globals(),
    {
        "Address": "supervisor.http_server",
        "AnnouncedView": "supervisor.addons.live.announcements",
        "Approvals": "supervisor.addons.live.approvals",
        "LiveView": "supervisor.addons.live.view",
        "NotApproved": "supervisor.addons.live.approvals",
        "announce": "supervisor.addons.live.announcements",
        "announced": "supervisor.addons.live.announcements",
        "live_url": "supervisor.addons.live.web_page",
        "serve_grid": "supervisor.addons.live.grid",
        "serve_live": "supervisor.addons.live.web_page",
    },
)
__getattr__: Callable[[str], Any] = _get
__dir__: Callable[[], list[str]] = _names

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
