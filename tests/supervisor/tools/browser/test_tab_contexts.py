"""Tabs behind the current one, and tabs with separate cookies."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cdp_typed.protocol import storage, target
from cdp_typed.protocol.browser import BrowserContextID
from supervisor import SupervisorRegistry
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import NOT_OVER_FLEET, Call, MakeBox, calls
from tests.support.stages.stage_names import REAL_STAGES
from tests.support.stages.stages import Stage, send_as_another_client

ON_CHROMIUM = pytest.mark.parametrize("shared_stage", REAL_STAGES, indirect=True)


@pytest.fixture
def call(make_box: MakeBox, stage: Stage) -> Call:
    return calls(make_box(stage))


def context_ids(stage: Stage) -> Mapping[str, BrowserContextID | None]:
    """The browser contexts of all pages, by target id."""
    infos = send_as_another_client(stage, target.GetTargets())[0].target_infos
    return {info.target_id: info.browser_context_id for info in infos if info.type == "page"}


def made_contexts(stage: Stage) -> list[BrowserContextID]:
    return list(send_as_another_client(stage, target.GetBrowserContexts())[0].browser_context_ids)


def test_a_tab_that_is_opened_behind_the_current_one_does_not_become_it(stage: Stage, call: Call) -> None:
    (first,) = call("browser_tabs")["tabs"]

    done = call("browser_tabs", action="open_behind", url=f"{stage.own}/plain")

    assert [tab["target_id"] for tab in done["tabs"] if tab.get("is_current")] == [first["target_id"]]
    assert done["opened"] in context_ids(stage)
    assert {tab["target_id"]: tab["url"] for tab in done["tabs"]}[done["opened"]] == f"{stage.own}/plain"


def test_tabs_of_one_name_share_a_context_apart_from_all_others(stage: Stage, call: Call) -> None:
    (first,) = call("browser_tabs")["tabs"]
    ada, ben, again = (
        call("browser_tabs", action="open", url=f"{stage.own}/plain", context=name)["opened"]
        for name in ("ada", "ben", "ada")
    )

    listed = {tab["target_id"]: tab.get("context") for tab in call("browser_tabs")["tabs"]}
    ids = context_ids(stage)
    assert listed == {first["target_id"]: None, ada: "ada", ben: "ben", again: "ada"}
    assert ids[ada] == ids[again]
    assert len({ids[first["target_id"]], ids[ada], ids[ben]}) == 3


@ON_CHROMIUM
def test_a_cookie_of_a_separate_context_is_in_no_other_one(stage: Stage, call: Call) -> None:
    call("browser_navigate", url=f"{stage.own}/plain")
    ada = call("browser_tabs", action="open", url=f"{stage.own}/plain", context="ada")["opened"]

    call("browser_cookies", action="set", cookie="user=ada")

    of_ada = storage.GetCookies(browser_context_id=context_ids(stage)[ada])
    assert [cookie.name for cookie in send_as_another_client(stage, of_ada)[0].cookies] == ["user"]
    assert send_as_another_client(stage, storage.GetCookies())[0].cookies == ()
    assert call("browser_evaluate", expression="document.cookie")["value"] == "user=ada"


@ON_CHROMIUM
def test_a_popup_stays_in_the_context_of_its_page(stage: Stage, call: Call) -> None:
    call("browser_tabs", action="open", url=f"{stage.own}/plain", context="ada")

    call("browser_evaluate", expression="document.body.innerHTML = '<a href=/frames target=_blank>more</a>'")
    popup = call("browser_click", ref='link "more"')["opened"][0]

    tabs = call("browser_tabs")["tabs"]
    assert [tab.get("context") for tab in tabs if tab["target_id"] == popup] == ["ada"]
    assert len(tabs) == 3


@ON_CHROMIUM
def test_a_dialog_in_a_separate_context_is_shown_and_answered(stage: Stage, call: Call) -> None:
    call("browser_tabs", action="open", url=f"{stage.own}/plain", context="ada")

    opened = call("browser_evaluate", expression="confirm('as Ada?')")
    answered = call("browser_dialog", action="accept")

    assert opened["pending_dialogs"][0]["message"] == "as Ada?"
    assert answered["success"]


@NOT_OVER_FLEET
def test_contexts_end_with_the_supervisor(stage: Stage, call: Call, registry: SupervisorRegistry) -> None:
    before = made_contexts(stage)
    call("browser_tabs", action="open", url=f"{stage.own}/plain", context="ada")
    assert len(made_contexts(stage)) == len(before) + 1

    registry.stop_all()

    assert made_contexts(stage) == before


def test_a_policy_may_deny_separate_contexts(make_box: MakeBox, stage: Stage) -> None:
    policy = Policy(deny_methods=("Target.createBrowserContext",))
    call = calls(make_box(stage, policy=policy))

    assert call("browser_tabs", action="open", context="ada")["error_type"] == "Refused"
    assert call("browser_tabs", action="open")["success"]


def test_only_a_tab_that_is_opened_takes_a_context(call: Call) -> None:
    assert call("browser_tabs", context="ada")["argument"] == "context"
    assert call("browser_tabs", action="open", context="")["error_type"] == "InvalidArgument"
