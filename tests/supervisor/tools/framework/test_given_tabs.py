"""Results of calls that touch a tab that a person gave to the agent. A second client plays the person, on the mock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cdp_typed import SyncSession, connect_sync
from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer
from cdp_typed.protocol import page, runtime
from supervisor import CDPSupervisor, Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import running_in

SITE = Site(
    {"http://bank.test/": Page(frames=[Frame("http://bank.test/inner", "inner")]), "http://bank.test/inner": Page()}
)


class Desk:
    """A person's tab that was given to the agent, who works in another one."""

    def __init__(self, toolbox: Toolbox, supervisor: CDPSupervisor, bank: SyncSession) -> None:
        self.toolbox = toolbox
        self.supervisor = supervisor
        self.bank = bank

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.toolbox.dispatch(name, arguments))
        return result


@pytest.fixture
def desk() -> Iterator[Desk]:
    registry = SupervisorRegistry()
    with (
        ThreadedMockServer(SITE) as mock,
        connect_sync(mock.url) as person,
        person.new_page() as bank,
        Toolbox(Config(cdp_url=mock.url, scope="own"), registry=registry, toolsets="all") as toolbox,
    ):
        bank.send(page.Enable())
        with bank.expect(page.LoadEventFired, timeout=10):
            bank.send(page.Navigate(url="http://bank.test/"))
        toolbox.dispatch("browser_snapshot", {})
        supervisor = running_in(registry)
        supervisor.give_page(bank.target_id)
        supervisor.wait_for(lambda _: "inner" in {frame.name for frame in supervisor.frames()}, timeout_s=10)
        yield Desk(toolbox, supervisor, bank)


def test_calls_for_the_given_tab_and_its_iframes_say_so_also_if_they_fail(desk: Desk) -> None:
    (inner,) = (frame for frame in desk.supervisor.frames() if frame.name == "inner")
    given, history = desk.bank.target_id, "Page.getNavigationHistory"
    done = [
        desk.call("browser_cdp", method=history, frame_id=given),
        desk.call("browser_cdp", method=history, target_id=given),
        desk.call("browser_evaluate", expression="1", frame_id=inner.frame_id),
        desk.call("browser_evaluate", expression="nothing.there", frame_id=given),
    ]

    assert [each["success"] for each in done] == [True, True, True, False]
    assert [each["persons_tab"] for each in done] == [True] * 4


def test_a_dialog_of_the_given_tab_says_so_also_where_the_call_names_none(desk: Desk) -> None:
    asked = desk.bank.send_nowait(runtime.Evaluate(expression="confirm('Pay?')"))
    desk.supervisor.wait_for(lambda now: len(now.pending_dialogs) == 1, timeout_s=10)
    done = desk.call("browser_dialog", action="accept")

    assert (done["success"], done["persons_tab"]) == (True, True)
    assert asked.result(timeout=10).result.value is True


@pytest.mark.parametrize("is_current", [False, True])
def test_closing_the_given_tab_says_so(desk: Desk, is_current: bool) -> None:
    if is_current:
        desk.supervisor.select_page(desk.bank.target_id)
    done = desk.call("browser_tabs", action="close", **({} if is_current else {"target_id": desk.bank.target_id}))

    assert done["persons_tab"] is True
    assert [tab["target_id"] for tab in done["tabs"]] == [tab.target_id for tab in desk.supervisor.snapshot().pages]
    assert not any(tab.is_given for tab in desk.supervisor.snapshot().pages)


def test_a_call_for_the_tab_of_the_agent_says_nothing(desk: Desk) -> None:
    own = next(tab for tab in desk.supervisor.snapshot().pages if tab.is_ours)

    assert "persons_tab" not in desk.call("browser_evaluate", expression="1", frame_id=own.target_id)
    assert "persons_tab" not in desk.call("browser_tabs")
    desk.supervisor.take_page_back(desk.bank.target_id)
    assert "persons_tab" not in desk.call("browser_cdp", method="Target.getTargets", target_id=own.target_id)
