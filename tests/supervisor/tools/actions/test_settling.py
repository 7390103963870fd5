"""A result comes when the page has reacted, and at once when nothing follows; the decision, and on real Chromium."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed import Command
from cdp_typed.protocol import heap_profiler, performance
from supervisor.tools.actions import settling
from supervisor.tools.actions.input_effects import ActionResult, Watch
from supervisor.tools.actions.settling import Activity, Sample, stability, updated
from supervisor.tools.browser import showing
from supervisor.tools.browser.showing import settle_document
from supervisor.tools.page.element_errors import Disabled
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import run, top_frame
from tests.supervisor.tools.acts import clicked
from tests.support.servers.sites import Page, Request
from tests.support.stages.playground import Playground

FOR_EVER_S = 30.0


@pytest.mark.parametrize(
    ("sample", "until_s"),
    [
        (Sample(), 0.0),
        (Sample(change="new"), 0.0),
        (Sample(change="again"), 0.0),
        (Sample(timers=1), settling.QUIET_S),
        (Sample(begun=1, finished=1), settling.QUIET_S),
        (Sample(begun=1), settling.ANSWER_S),
        (Sample(moves=True), settling.REST_S),
        (Sample(busy=True), settling.REST_S),
    ],
    ids=["nothing", "change", "ticker", "timer", "answered request", "request", "animation", "busy"],
)
def test_the_first_look_says_how_long_something_may_take_to_come(sample: Sample, until_s: float) -> None:
    activity = updated(Activity(), sample, 0.0, is_first=True)

    assert until_s == 0 or stability(activity, until_s - 0.01) == "wait"
    assert stability(activity, until_s) == "rests"


def test_what_moves_is_waited_for_until_it_rests_or_the_limit_comes() -> None:
    activity = updated(Activity(), Sample(change="new"), 2.9)

    assert [stability(activity, now) for now in (2.99, 3.04, 3.06)] == ["wait", "moves", "rests"]


def test_a_change_after_a_request_is_taken_for_its_answer() -> None:
    activity = updated(updated(Activity(), Sample(begun=1), 0.0, is_first=True), Sample(begun=1, change="new"), 0.5)

    assert [stability(activity, now) for now in (0.6, 0.66)] == ["wait", "rests"]


def test_a_new_document_is_waited_for_while_its_requests_end() -> None:
    at_first = updated(Activity(), Sample(begun=1, finished=9), 0.0, is_first=True)
    begun = updated(at_first, Sample(begun=3, finished=9, change="new"), 0.5)
    one_ended = updated(begun, Sample(begun=3, finished=10), 0.9)
    all_ended = updated(one_ended, Sample(begun=3, finished=11), 1.5)

    assert [stability(begun, now, is_new=True) for now in (1.49, 1.51)] == ["wait", "rests"]
    assert [stability(one_ended, now, is_new=True) for now in (1.89, 1.91)] == ["wait", "rests"]
    assert [stability(all_ended, now, is_new=True) for now in (1.99, 2.01)] == ["wait", "rests"]
    assert stability(one_ended, 1.5, 1.4, is_new=True) == "moves"


def test_a_ticker_is_not_waited_for_again_and_told() -> None:
    activity = updated(updated(Activity(), Sample(timers=1), 0.0, is_first=True), Sample(change="again"), 0.5)

    assert stability(activity, 0.5) == "moves"


def late(after_s: float, text: str) -> Page:
    """A page that the server answers with some time later."""

    def answer(request: Request) -> str:
        threading.Event().wait(after_s)
        return text

    return answer


async def check_settles_with(ground: Playground, text: str) -> None:
    assert await settle_document(ground.supervisor) is False
    assert text in (await outline(ground.supervisor, OutlineOptions())).page


async def acted(ground: Playground, label: str, limit_s: float = FOR_EVER_S) -> ActionResult:
    """A click and its effects."""
    ref = await ground.ref(label)
    watch = Watch(ground.supervisor, limit_s=limit_s)
    await watch.begin(ref)
    await clicked(ground, ref)
    return await watch.end()


@pytest.mark.parametrize(
    "script",
    [
        "setTimeout(() => document.body.append('Here'), 150)",
        "fetch('/slow').then(answer => answer.text()).then(text => document.body.append(text))",
        "this.textContent = 'Wait'; const ask = new XMLHttpRequest(); ask.open('GET', '/slow'); ask.send();"
        "ask.onload = () => setTimeout(() => document.body.append(ask.responseText), 100)",
    ],
    ids=["timer", "fetch", "request and timer"],
)
async def test_what_a_click_brings_a_moment_later_is_there_when_it_returns(ground: Playground, script: str) -> None:
    ground.sites.pages["/slow"] = late(0.2, "Here")
    await ground.open(f'<button onclick="{script}">Go</button>')

    assert await acted(ground, 'button "Go"') == ActionResult()
    assert '"Here"' in await ground.text()


@pytest.mark.parametrize("script", ["", "window.hit = 1", "this.title = 'pressed'", "alert"])
async def test_nothing_is_waited_for_where_nothing_follows(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    monkeypatch.setattr(settling, "POLL_S", 3600.0)
    await ground.open(f"<button onclick=\"{script}\" style='transition: color 9s'>Go</button>")

    assert await acted(ground, 'button "Go"') == ActionResult()


async def test_requests_from_before_are_no_sign_of_more(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    send = ground.supervisor.send

    async def send_late(command: Command[Any], *given: Any, **named: Any) -> Any:
        await asyncio.sleep(0.05 if isinstance(command, performance.Enable) else 0)
        return await send(command, *given, **named)

    monkeypatch.setattr(ground.supervisor, "send", send_late)
    monkeypatch.setattr(settling, "POLL_S", 3600.0)
    ground.sites.pages["/icon"] = "icon"
    await ground.open("<img src=/icon><button>Go</button>")

    assert await acted(ground, 'button "Go"') == ActionResult()


async def test_a_page_that_does_not_come_to_rest_says_so(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "REST_S", FOR_EVER_S)
    await ground.open("<p id=count>0</p><button onclick='setInterval(() => { count.textContent++ }, 5)'>Go</button>")

    assert await acted(ground, 'button "Go"', limit_s=1.0) == ActionResult(still_changing=True)


async def test_the_page_is_left_as_it_was(ground: Playground) -> None:
    await ground.open("<button onclick='document.title = String(setTimeout)'>Go</button>")

    await acted(ground, 'button "Go"')

    assert "native code" in await ground.value("document.title")


async def test_a_watch_that_nobody_ended_ends_itself(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "BEGIN", settling.BEGIN.replace("60000", "0"))
    await ground.open("<button disabled>Go</button>")
    with pytest.raises(Disabled):
        await acted(ground, 'button "Go"')

    await ground.value("document.body.append('Later')")

    assert await run(ground.supervisor, top_frame(ground.supervisor).frame_id, "globalThis.settling.isNew") is False


@pytest.mark.parametrize("app", ["", "Loading"])
async def test_content_that_was_requested_before_the_watch_is_waited_for(ground: Playground, app: str) -> None:
    ground.sites.pages["/data"] = late(0.8, "Made")
    made = "fetch('/data').then(answer => answer.text()).then(text => { app.textContent = text })"
    await ground.open(f"<div id=app>{app}</div><script>{made}</script>")

    await check_settles_with(ground, "Made")


async def test_a_document_made_in_parts_is_waited_for(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    is_seen = asyncio.Event()

    def seen(*given: Any, **options: Any) -> Activity:
        is_seen.set()
        return updated(*given, **options)

    monkeypatch.setattr(settling, "updated", seen)
    ground.sites.pages["/part"] = late(0.7, "Made")
    made = "fetch('/part').then(answer => answer.text()).then(text => { document.body.append(text) })"
    shell = "setTimeout(() => document.body.append('Shell'))"
    await ground.open(f"<script>function make() {{ {made}; {shell} }}</script>")

    settled = asyncio.ensure_future(settle_document(ground.supervisor))
    await is_seen.wait()
    await ground.supervisor.evaluate("void make()")
    assert await settled is False

    assert "Made" in (await outline(ground.supervisor, OutlineOptions())).page


async def test_a_document_has_a_moment_after_each_change_to_go_on(ground: Playground) -> None:
    await ground.open("""<p>Shell<script>
        setTimeout(() => { document.body.append('Part'); setTimeout(() => document.body.append('Made'), 300) }, 450)
    </script>""")

    await check_settles_with(ground, "Made")


async def test_a_document_that_loads_parts_has_longer(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    ground.sites.pages |= {f"/{number}": late(0.3, f"Part {number}") for number in (1, 2, 3)}
    monkeypatch.setattr(settling, "LIMIT_S", 0.2)
    monkeypatch.setattr(showing, "LIMIT_S", 0.2, raising=False)
    await ground.open("""<p>Shell<script>setTimeout(async () => {
        for (const number of [1, 2, 3]) document.body.append(await (await fetch(`/${number}`)).text());
    }, 100)</script>""")

    await check_settles_with(ground, "Part 3")
    await ground.value("setInterval(() => document.body.append('again'), 20)")
    assert await settle_document(ground.supervisor) is True


async def test_a_document_with_slow_scripts_is_waited_for(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "BEGIN_S", 0.0)
    await ground.open("<script>setTimeout(() => document.body.append('Made'), 300)</script>")

    await check_settles_with(ground, "Made")


async def test_a_document_that_goes_elsewhere_is_followed(ground: Playground) -> None:
    ground.sites.pages["/there"] = "<script>setTimeout(() => document.body.append('There'), 100)</script>"
    await ground.open("<script>setTimeout(() => { location = '/there' }, 100)</script>")

    assert await settle_document(ground.supervisor) is False

    assert "There" in await ground.text()


ANSWERED = Sample(begun=1, finished=1, answered=1, is_after=True, change="new")


def test_nothing_more_is_waited_for_when_what_was_expected_has_come() -> None:
    at_first = updated(Activity(), Sample(begun=1), 0.0, is_first=True)
    spins = updated(at_first, Sample(begun=1, change="new"), 0.05)
    timer = updated(Activity(), Sample(timers=1), 0.0, is_first=True)
    early, late = (updated(timer, Sample(change="new"), now) for now in (0.05, 0.2))
    two = updated(updated(Activity(), Sample(timers=2), 0.0, is_first=True), Sample(change="new"), 0.2)
    in_a_row = updated(spins, replace(ANSWERED, begun=2), 0.1)
    before = updated(spins, replace(ANSWERED, is_after=False), 0.1)

    def ends(activity: Activity) -> float:
        return next(ms for ms in range(0, 1000, 10) if stability(activity, ms / 1000) == "rests") / 1000

    answered = [ends(updated(activity, ANSWERED, 0.1)) for activity in (at_first, spins)]
    assert answered == pytest.approx([0.1 + settling.FRAMES_S] * 2, abs=0.011)
    assert ends(updated(Activity(), ANSWERED, 0.0, is_first=True)) == settling.FRAMES_S
    assert [ends(activity) for activity in (early, two, in_a_row, before, spins)] == [settling.QUIET_S] * 5
    assert ends(late) == pytest.approx(0.2 + settling.REST_S, abs=0.011)


@pytest.mark.parametrize(
    "script",
    [
        "out.textContent = 'Wait'; ask('/fast').then(text => { out.textContent = text })",
        "requestAnimationFrame(() => requestAnimationFrame(() => { out.textContent = 'Wait' }));"
        "ask('/fast').then(text => { out.textContent = text })",
        "out.textContent = 'Saved'; ask('/fast').then(text => ask('/fast')).then(text => { out.textContent = text })",
        "out.textContent = '3'; setTimeout(() => ask('/fast').then(text => { out.textContent = text }), 300)",
        "ask('/fast').then(() => { out.textContent = 1; return ask('/fast') })"
        ".then(text => { out.textContent = text })",
        "for (let n = 1; n < 5; n++) setTimeout(() => { out.textContent = n < 4 ? n : 'Answer' }, 100 * n)",
        "setTimeout(() => { out.textContent = 1; setTimeout(() => { out.textContent = 'Answer' }, 120) }, 120)",
    ],
    ids=["spinner", "late spinner", "optimistic", "debounced", "two in a row", "streams in", "two steps"],
)
async def test_a_page_that_answers_in_steps_is_not_looked_at_too_early(ground: Playground, script: str) -> None:
    ground.sites.pages["/fast"] = late(0.06, "Answer")
    ask = "<script>const ask = path => fetch(path).then(answer => answer.text())</script>"
    await ground.open(f'{ask}<p id=out>-</p><button onclick="{script}">Go</button>')

    assert await acted(ground, 'button "Go"') == ActionResult()

    assert '"Answer"' in await ground.text()


async def test_no_answer_is_waited_for_longer_than_it_takes(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a floor that no test could wait for."""
    monkeypatch.setattr(settling, "QUIET_S", FOR_EVER_S)
    monkeypatch.setattr(settling, "ANSWER_S", FOR_EVER_S)
    monkeypatch.setattr(settling, "LIMIT_S", FOR_EVER_S)
    ground.sites.pages["/fast"] = "Answer"
    await ground.open("""<script>const show = text => { out.textContent = text }</script><p id=out>-</p>
        <button onclick="fetch('/fast').then(answer => answer.text()).then(show)">Ask</button>
        <button onclick="setTimeout(() => show('Late'), 500)">Later</button>""")

    async with asyncio.timeout(FOR_EVER_S / 2):
        assert await acted(ground, 'button "Ask"') == ActionResult()
        assert await acted(ground, 'button "Later"') == ActionResult()


async def test_what_changes_and_is_removed_after_an_action_is_freed(ground: Playground) -> None:
    await ground.open("<button>Go</button><p>Row</p>")
    await acted(ground, 'button "Go"')

    await ground.value(
        "(() => { const row = document.querySelector('p'); row.append('!'); kept = new WeakRef(row) })()"
    )
    await ground.value("document.querySelector('p').remove()")
    for _ in range(2):  # the first one frees the wrapper, the second one the node
        await ground.supervisor.send(heap_profiler.CollectGarbage())

    assert await ground.value("kept.deref() === undefined")
