"""The fleets of the chaos: one on mocks, one on Chromium, both with a tool that tells the witness of each call."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts, Limits
from supervisor.tools import CATALOGUE, Catalogue, ToolContext, tool

PAGE = "http://shop.test/"
TIMEOUT_S, QUEUE_S = 20.0, 30.0
DEADLINE_S = TIMEOUT_S + QUEUE_S + 60.0
"""No call may take longer: its own time, that in the queue, that of a directory that is started again, some grace."""

SERVERS: list[ThreadedMockServer] = []
"""The mock of this process, once it is started."""
_witnessed = Catalogue(CATALOGUE)


class Nothing(Struct, frozen=True):
    """No arguments, no result."""


@tool(toolset="browser-cdp", catalogue=_witnessed)
def chaos_where(context: ToolContext, arguments: Nothing) -> Nothing:
    """Tell the witness that the task is here."""
    # The function is sent by its code, and the witness is one a process.
    from tests.supervisor.addons.fleet.chaos import witness

    witness.seen(context.task_id, context.blocking)
    return arguments


def mock_of_this_process() -> str:
    """Start a mock browser in the process of the host, once; return its address."""
    from tests.supervisor.addons.fleet.chaos import fleets

    if not fleets.SERVERS:
        server = ThreadedMockServer({PAGE: Page(title="Shop")})
        server.__enter__()
        fleets.SERVERS.append(server)
    return fleets.SERVERS[0].url


def start_fleet(name: str, address: str, tasks: int, checkpoints: str) -> Fleet:
    """Start the fleet `mock` or `chromium`, for so many tasks on three hosts, or on two when one is lost."""
    return Fleet(
        Config(cdp_url=mock_of_this_process) if name == "mock" else None,
        toolsets="all",
        catalogue=_witnessed,
        timeout_s=TIMEOUT_S,
        hosts=Hosts(least=3, tasks=-(-tasks // 2), most=6, resources={"browser": 1.0}),
        limits=Limits(queue_s=QUEUE_S, checkpoint_s=1.0, checkpoints=checkpoints),
        name=name,
        address=address,
        detached=True,
    )
