"""An agent in the browser of a person: their tabs and dialogs stay theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cdp_typed import SyncConnection, connect_sync
from cdp_typed.launch import LaunchedBrowser, launch
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, runtime, target
from supervisor import CDPSupervisor, Config, SupervisorRegistry, UnknownPage
from supervisor.tools import Toolbox
from tests.support.servers.displays import needs_display, virtual_display

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.chromium,
    pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning"),
    needs_display,
]


@pytest.fixture(scope="module")
def browser() -> Iterator[LaunchedBrowser]:
    with virtual_display() as display, launch(headless=False, env={"DISPLAY": display}) as running:
        yield running


@pytest.fixture
def person(browser: LaunchedBrowser) -> Iterator[SyncConnection]:
    """A second client, which plays the person."""
    with connect_sync(browser.ws_url) as connection:
        yield connection


def test_the_tabs_and_dialogs_of_a_person_are_left_alone(browser: LaunchedBrowser, person: SyncConnection) -> None:
    with person.new_page("data:text/html,<title>Bank</title>") as bank:
        bank.send(page.Enable())
        bank_id = bank.send(target.GetTargetInfo()).target_info.target_id
        agents = CDPSupervisor(browser.ws_url, scope="own", dialog_policy="auto_dismiss", dialog_timeout_s=1.0)
        with agents as supervisor:
            asked = bank.send_nowait(runtime.Evaluate(expression="confirm('Pay?')"))
            with bank.events(page.JavascriptDialogClosed) as closed:
                assert [tab.is_ours for tab in supervisor.snapshot().pages] == [True]
                with pytest.raises(TimeoutError):
                    asked.result(timeout=2.5)  # neither the policy nor the watchdog answers it
                assert bank_id not in {tab.target_id for tab in supervisor.snapshot().pages}
                assert supervisor.snapshot().pending_dialogs == ()

                bank.send(page.HandleJavaScriptDialog(accept=True))
                assert next(iter(closed)).result is True
            assert asked.result(timeout=10).result.value is True

        left = {info.target_id for info in person.send(target.GetTargets()).target_infos if info.type == "page"}
        assert bank_id in left


def test_a_supervisor_that_shows_all_tabs_answers_no_dialog_of_the_person(
    browser: LaunchedBrowser, person: SyncConnection
) -> None:
    with person.new_page("data:text/html,<title>Bank</title>") as bank:
        bank.send(page.Enable())
        agents = CDPSupervisor(browser.ws_url, scope="shared", dialog_policy="auto_dismiss", dialog_timeout_s=1.0)
        with agents as supervisor:
            asked = bank.send_nowait(runtime.Evaluate(expression="confirm('Pay?')"))
            with bank.events(page.JavascriptDialogClosed) as closed:
                supervisor.wait_for(lambda now: len(now.pending_dialogs) == 1, timeout_s=10)
                with pytest.raises(TimeoutError):
                    asked.result(timeout=2.5)
                assert not any(tab.is_managed for tab in supervisor.snapshot().pages)

                bank.send(page.HandleJavaScriptDialog(accept=True))
                assert next(iter(closed)).result is True
            assert asked.result(timeout=10).result.value is True


def test_a_tab_is_the_agents_from_the_gift_of_the_person_until_it_is_taken_back(
    browser: LaunchedBrowser, person: SyncConnection
) -> None:
    with person.new_page("data:text/html,<title>Bank</title>") as bank:
        bank.send(page.Enable())
        bank_id = bank.send(target.GetTargetInfo()).target_info.target_id
        config = Config(cdp_url=browser.ws_url, scope="own", dialog_policy="auto_dismiss")
        registry = SupervisorRegistry()
        toolbox = Toolbox(config, toolsets="browser", registry=registry)

        def call(name: str, **arguments: object) -> dict[str, Any]:
            result: dict[str, Any] = json.loads(toolbox.dispatch(name, arguments))
            return result

        assert "persons_tab" not in call("browser_snapshot")
        supervisor = registry.get("default")
        assert supervisor is not None
        with pytest.raises(UnknownPage):
            supervisor.select_page(bank_id)
        given = supervisor.give_page(bank_id)
        assert (given.is_given, given.is_managed, given.is_ours, given.is_current) == (True, True, False, False)
        supervisor.select_page(bank_id)
        assert supervisor.evaluate("document.title").value == "Bank"
        assert supervisor.evaluate("confirm('Pay?')").value is False, "the policy does not hold in the given tab"
        assert call("browser_snapshot")["persons_tab"] is True

        supervisor.take_page_back(bank_id)
        supervisor.wait_for(lambda now: bank_id not in {tab.target_id for tab in now.pages}, timeout_s=10)
        assert "persons_tab" not in call("browser_snapshot")
        asked = bank.send_nowait(runtime.Evaluate(expression="confirm('Pay?')"))
        with pytest.raises(TimeoutError):
            asked.result(timeout=1)
        bank.send(page.HandleJavaScriptDialog(accept=True))
        assert asked.result(timeout=10).result.value is True
        toolbox.close()

        assert bank.send(target.GetTargetInfo()).target_info.target_id == bank_id


def test_the_agent_has_windows_of_its_own_which_take_no_focus(browser: LaunchedBrowser, person: SyncConnection) -> None:
    def window_of(target_id: str) -> int:
        found = person.send(browser_domain.GetWindowForTarget(target_id=target.TargetID(target_id)))
        return int(found.window_id)

    with person.new_page("data:text/html,<title>Bank</title>") as bank:
        bank.send(page.BringToFront())
        with CDPSupervisor(browser.ws_url, scope="own", own_windows=True) as supervisor:
            supervisor.open_page()
            pages = [bank.target_id, *(tab.target_id for tab in supervisor.snapshot().pages)]

            assert len({window_of(target_id) for target_id in pages}) == 3
            seen = bank.send(runtime.Evaluate(expression="document.visibilityState")).result.value
            assert seen == "visible"
