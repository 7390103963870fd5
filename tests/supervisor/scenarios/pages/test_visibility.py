"""Pages that the agent has behave as pages in front, and those of others as they would without us: on real Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from cdp_typed import connect
from cdp_typed.protocol import runtime, target
from supervisor import CDPSupervisor
from tests.support.stages.stages import Stage, is_loaded, open_page

STATE = "document.visibilityState"
FRAMES = "new Promise(done => { requestAnimationFrame(() => requestAnimationFrame(() => done('frames'))) })"
OBSERVED = """new Promise(done => {
  const element = document.body.appendChild(document.createElement('p'));
  new IntersectionObserver(() => done('observed')).observe(element);
})"""
RESIZED = """new Promise(done => {
  const element = document.body.appendChild(document.createElement('p'));
  new ResizeObserver(() => done('resized')).observe(element);
})"""
FRONT = "document.visibilityState + ' ' + document.hasFocus()"


pytestmark = pytest.mark.parametrize("stage", ["chromium"], indirect=True)


@pytest.fixture
def supervisor(stage: Stage) -> Iterator[CDPSupervisor]:
    with CDPSupervisor(stage.cdp_url, call_timeout_s=10) as running:
        yield running


def looked_at(stage: Stage, target_id: str, expression: str) -> str:
    """The value of an expression in a page, evaluated by another client."""

    async def look() -> str:
        async with connect(stage.cdp_url) as browser:
            session = await browser.attach(target.TargetID(target_id))
            result = await session.send(runtime.Evaluate(expression=expression))
            return str(result.result.value)

    return asyncio.run(look())


def foreign_page(stage: Stage) -> str:
    async def create() -> str:
        async with connect(stage.cdp_url) as browser:
            page = target.CreateTarget(url=f"{stage.own}/plain", background=True)
            return (await browser.send(page)).target_id

    return asyncio.run(create())


@pytest.mark.parametrize(
    ("expression", "seen"), [(STATE, "visible"), (FRAMES, "frames"), (OBSERVED, "observed"), (RESIZED, "resized")]
)
def test_a_page_that_was_opened_behind_others_is_as_in_front(
    stage: Stage, supervisor: CDPSupervisor, expression: str, seen: str
) -> None:
    supervisor.open_page()
    open_page(supervisor, f"{stage.own}/plain")

    assert supervisor.evaluate(expression).value == seen


def test_the_page_in_front_is_left_as_it_is(stage: Stage) -> None:
    (front,) = [info.target_id for info in targets(stage) if info.type == "page"]
    while looked_at(stage, front, FRONT) != "visible true":
        pass  # a browser that has just started gives its page the focus a moment later
    with CDPSupervisor(stage.cdp_url, scope="own", call_timeout_s=10) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")

        assert supervisor.evaluate(FRONT).value == "visible true"
        assert looked_at(stage, front, FRONT) == "visible true"


def test_a_page_behind_the_popup_that_it_opened_is_as_in_front(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    command = runtime.Evaluate(expression="window.opened = window.open('about:blank'); 1", user_gesture=True)
    supervisor.send(command)
    supervisor.wait_for(lambda now: len(now.pages) == 2)

    assert supervisor.evaluate(FRAMES).value == "frames"
    supervisor.evaluate("opened.close()")
    supervisor.wait_for(lambda now: len(now.pages) == 1)
    assert (supervisor.evaluate(STATE).value, supervisor.evaluate(FRAMES).value) == ("visible", "frames")


def test_a_page_of_somebody_else_stays_hidden_until_it_is_selected(stage: Stage, supervisor: CDPSupervisor) -> None:
    foreign = foreign_page(stage)
    url = f"{stage.own}/plain"
    supervisor.wait_for(lambda now: (foreign, url) in {(page.target_id, page.url) for page in now.pages})
    assert looked_at(stage, foreign, STATE) == "hidden"

    supervisor.select_page(foreign)

    supervisor.wait_for(is_loaded, timeout_s=20)
    assert supervisor.evaluate(FRAMES).value == "frames"
    assert looked_at(stage, foreign, STATE) == "visible"


def targets(stage: Stage) -> tuple[target.TargetInfo, ...]:
    async def ask() -> tuple[target.TargetInfo, ...]:
        async with connect(stage.cdp_url) as browser:
            return (await browser.send(target.GetTargets())).target_infos

    return asyncio.run(ask())
