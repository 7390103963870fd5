"""What tool calls cost: the commands that they send to a real Chromium, and how often they wait for its answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from msgspec import Struct

from supervisor import Config, SupervisorRegistry
from supervisor.core.calls import responsiveness
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Page, Sites, iframe
from tests.support.stages.shared_browser import SharedBrowser
from tests.support.wires.traffic import Message, note_traffic


class Cost(Struct, frozen=True):
    """Commands of the protocol, and round trips."""

    commands: int
    round_trips: int


LIMITS: Final = {
    "navigate": Cost(12, 9),
    "snapshot of 1 node": Cost(4, 3),
    "snapshot of 300 nodes": Cost(4, 3),
    "snapshot of 3,000 nodes": Cost(4, 3),
    "click": Cost(22, 9),
    "click in an iframe of another site": Cost(30, 10),
    "click in two nested iframes of other sites": Cost(35, 10),
    "type": Cost(15, 9),
    "fill five fields": Cost(51, 26),
    "fill a native select": Cost(12, 9),
    "fill a list that opens": Cost(46, 25),
    "fill a combobox by keys": Cost(40, 26),
    "fill a combobox by a click": Cost(57, 34),
    "fill a combobox without a list": Cost(35, 21),
    "click that opens a dialog": Cost(19, 7),
    "dialog, from its event to its end": Cost(1, 1),
}
"""The most that each may cost; whoever makes one cheaper lowers its limit.

The number of commands is the same in most runs. When the document of a navigation has loaded before, its question if
the document can be used is left out, at one of two commands; in an iframe that has just appeared the mouse may have to
be moved again. That of round trips varies: two chains of commands run side by side at the beginning of an action, and
whether the second command of one comes before the answer to the second of the other is up to the browser. So the
fewest of three calls count.

A page that changes after an action, or may change after a dialog, is looked at every 40 ms until it rests. How often
depends on the time, so these pages change nothing, and the cost of a dialog ends with it.
"""

_START: Final = "<!doctype html><link rel=icon href=data:,><title>T</title>"


_LIST: Final = """<div id=list role=listbox hidden><div role=option>open</div><div role=option id=paid>paid</div></div>
<script>const show = is => { list.hidden = !is; field.ariaExpanded = String(is) };
const take = text => { field.nodeName === 'DIV' ? field.textContent = text : field.value = text; show(false) };
field.onclick = field.oninput = () => show(true);
list.onmousedown = event => event.preventDefault();
list.onclick = event => take(event.target.textContent)</script>"""
_COMBOBOX: Final = "<input id=field role=combobox aria-controls=list aria-expanded=false>"

CHOICES: Final = {
    "fill a native select": "<select><option>open<option>paid</select>",
    "fill a list that opens": f"<div id=field role=combobox aria-controls=list tabindex=0>open</div>{_LIST}",
    "fill a combobox by a click": _COMBOBOX + _LIST,
    "fill a combobox by keys": f"""{_COMBOBOX}{_LIST}<script>field.onkeydown = ({{key}}) => {{
        if (key === 'ArrowDown') field.setAttribute('aria-activedescendant', 'paid');
        if (key === 'Enter') take('paid') }}</script>""",
    "fill a combobox without a list": _COMBOBOX,
}
"""Fields that take one of several texts."""


def _pages(sites: Sites) -> dict[str, Page]:
    return {
        "/button": f"{_START}<button onclick='document.title = 1'>B</button>",
        "/iframe": _START + iframe(sites.remote("/button")),
        "/nested": _START + iframe(sites.remote("/middle")),
        "/middle": _START + iframe(sites.local("/button")),
        "/form": _START + "".join(f"<label>F{number}<input></label>" for number in range(5)),
        **{"/" + what.replace(" ", "-"): _START + html for what, html in CHOICES.items()},
        "/dialog": f"{_START}<button onclick='confirm(1)'>B</button>",
        **{f"/{count}": _START + "".join(f"<p>{number}</p>" for number in range(count)) for count in (1, 300, 3000)},
    }


class Agent(Struct, frozen=True):
    """Tools on a page, and all messages between them and the browser."""

    call: Call
    sites: Sites
    traffic: list[Message]

    def open(self, path: str) -> None:
        self.do("browser_navigate", url=self.sites.local(path))
        self.do("browser_wait", until="loaded")

    def refs(self, path: str) -> list[str]:
        """Open a page, and return the refs of its elements in their order, those in its iframes included."""
        self.open(path)
        seen: list[str] = re.findall(r"\[ref=(e\d+)\]", self.do("browser_snapshot")["page"])
        return seen

    def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.call(tool, **arguments)
        assert result["success"], result
        return result


@pytest.fixture(scope="module")
def agent(shared_chromium: SharedBrowser) -> Iterator[Agent]:
    registry = SupervisorRegistry()
    with pytest.MonkeyPatch.context() as patch, Sites() as sites:
        sites.pages.update(_pages(sites))
        patch.setattr(responsiveness, "CHECK_AFTER_S", 600.0)  # no question whether a slow page hangs
        traffic = note_traffic(patch)
        toolbox = Toolbox(Config(cdp_url=shared_chromium.empty().ws_url), registry=registry, toolsets="all")
        yield Agent(calls(toolbox), sites, traffic)
        registry.stop_all()


@pytest.mark.parametrize("what", LIMITS)
def test_a_tool_call_costs_no_more_than_its_limit(agent: Agent, what: str) -> None:
    limit, commands, round_trips, sent = LIMITS[what], list[int](), list[int](), Counter[str]()
    for _ in range(3):
        done = _done(agent, what)
        sent = Counter(message.method for message in done if message.direction == "sent")
        commands.append(cost_of(done).commands)
        round_trips.append(cost_of(done).round_trips)
        if min(commands) <= limit.commands and min(round_trips) <= limit.round_trips:
            break

    assert min(commands) <= limit.commands, sent
    assert min(round_trips) <= limit.round_trips


def _done(agent: Agent, what: str) -> Sequence[Message]:
    """Prepare a page for a tool call, and return the messages of the call alone."""
    tool, arguments = "browser_click", dict[str, Any]()
    match what:
        case "navigate":
            agent.open("/1")
            tool, arguments = "browser_navigate", {"url": agent.sites.local("/300")}
        case "snapshot of 1 node" | "snapshot of 300 nodes" | "snapshot of 3,000 nodes":
            agent.open("/" + re.sub(r"\D", "", what))
            tool = "browser_snapshot"
        case "click":
            arguments = {"ref": agent.refs("/button")[-1]}
        case "click in an iframe of another site":
            arguments = {"ref": agent.refs("/iframe")[-1]}
        case "click in two nested iframes of other sites":
            arguments = {"ref": agent.refs("/nested")[-1]}
        case "type":
            tool, arguments = "browser_type", {"ref": agent.refs("/form")[0], "text": "Ann"}
        case "fill five fields":
            fields = [{"ref": ref, "value": f"of {ref}"} for ref in agent.refs("/form")]
            tool, arguments = "browser_fill_form", {"fields": fields}
        case _ if what in CHOICES:
            tool, arguments = (
                "browser_fill_form",
                {"fields": [{"ref": agent.refs("/" + what.replace(" ", "-"))[0], "value": "paid"}]},
            )
        case _:
            arguments = {"ref": agent.refs("/dialog")[-1]}
    begin = len(agent.traffic)
    agent.do(tool, **arguments)
    done = agent.traffic[begin:]
    if arguments.get("ref") is None or "dialog" not in what:
        return done
    agent.do("browser_dialog", action="accept")
    if what == "click that opens a dialog":
        return done
    events = [message.method for message in agent.traffic[begin:]]
    opened, closed = events.index("Page.javascriptDialogOpening"), events.index("Page.javascriptDialogClosed")
    return agent.traffic[begin + opened : begin + closed]


def cost_of(messages: Sequence[Message]) -> Cost:
    """Count the commands and round trips among these messages.

    A round trip is a set of commands that are sent before any of them is answered: the first command after an answer to
    one of them begins the next round trip. An answer to a command of an earlier one begins none. So the number is the
    length of the longest chain of commands each of which was sent after the one before it was answered, and it does not
    depend on how long an answer takes.
    """
    round_trip = answered = 0
    of_command: dict[tuple[int, int], int] = {}
    for message in messages:
        key = message.connection, message.content.get("id", 0)
        if message.direction == "sent":
            round_trip += round_trip == answered
            of_command[key] = round_trip
        else:
            answered = max(answered, of_command.get(key, 0))
    return Cost(len(of_command), round_trip)
