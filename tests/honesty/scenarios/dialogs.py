"""Scenarios of dialogs: opening, handling, ending."""

from __future__ import annotations

import asyncio
from typing import Final

from tests.honesty.player import Play, Tab
from tests.honesty.scenarios.registry import Scenario, register, scenario


async def ask(tab: Tab, expression: str, *, on: str | None = None, accept: bool, text: str | None = None) -> None:
    """Open a dialog by a script, answer it, and let the script go on."""
    asked = tab.evaluate(expression, on=on)
    await tab.opening()
    await tab.answer_dialog(accept=accept, text=text)
    await tab.closed()
    await tab.client.answer(asked)


ASKED: Final[dict[str, tuple[str, bool, str | None]]] = {
    "alert_accepted": ("alert('hello')", True, None),
    "alert_dismissed": ("alert('hello')", False, None),
    "confirm_accepted": ("confirm('sure?')", True, None),
    "confirm_dismissed_with_a_text": ("confirm('sure?')", False, "ignored?"),
    "prompt_accepted_with_a_text": ("prompt('name?', 'nobody')", True, "Ada"),
    "prompt_accepted_without_a_text": ("prompt('name?', 'nobody')", True, None),
    "prompt_dismissed": ("prompt('name?', 'nobody')", False, None),
    "prompt_dismissed_with_a_text": ("prompt('name?')", False, "Ada"),
    "a_long_message_with_control_characters": (f"alert('a\\r\\nb\\x1b\\u202e{'x' * 11_000}')", True, None),
}
"""The script, whether its dialog is accepted, and the text for it."""


def asked_once(expression: str, *, accept: bool, text: str | None) -> Scenario:
    async def play_dialog(play: Play) -> None:
        await ask(await play.tab("/plain"), expression, accept=accept, text=text)

    return play_dialog


for _name, (_expression, _accept, _text) in ASKED.items():
    register(_name, __name__, asked_once(_expression, accept=_accept, text=_text))


@scenario
async def one_after_another(play: Play) -> None:
    tab = await play.tab("/plain")
    for accept in (True, False):
        await ask(tab, "confirm('again?')", accept=accept)


@scenario
async def in_a_local_iframe(play: Play) -> None:
    tab = await play.tab("/with-local")
    tree = await tab.call("Page.getFrameTree")
    frame = tree["frameTree"]["childFrames"][0]["frame"]["id"]
    world = await tab.call("Page.createIsolatedWorld", {"frameId": frame, "worldName": "w"})
    asked = tab.start("Runtime.evaluate", {"expression": "confirm('local')", "contextId": world["executionContextId"]})
    await tab.opening()
    await tab.answer_dialog()
    await tab.client.answer(asked)


@scenario
async def in_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await ask(tab, "confirm('oopif')", on=tab.frames[0], accept=True)


@scenario
async def prompt_in_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await ask(tab, "prompt('oopif', 'd')", on=tab.frames[0], accept=True, text="Ada")


@scenario
async def in_a_nested_oopif(play: Play) -> None:
    tab = await play.tab("/nested", oopifs=2)
    await ask(tab, "confirm('deep')", on=tab.frames[1], accept=False)


@scenario
async def handled_on_the_oopifs_session_first(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    asked = tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    await tab.client.call("Page.handleJavaScriptDialog", {"accept": True}, on=tab.frames[0])
    await tab.answer_dialog()
    await tab.client.answer(asked)


@scenario
async def handled_where_none_is(play: Play) -> None:
    await (await play.tab("/plain")).answer_dialog()


@scenario
async def handled_twice(play: Play) -> None:
    tab = await play.tab("/plain")
    await ask(tab, "alert('once')", accept=True)
    await tab.answer_dialog()


@scenario
async def two_tabs_at_once(play: Play) -> None:
    first = await play.tab("/plain")
    second = await play.tab("/second", client=first.client)
    in_first, in_second = first.evaluate("confirm('one')"), second.evaluate("confirm('two')")
    await first.opening()
    await second.opening()
    await second.answer_dialog(accept=False)
    await first.client.answer(in_second)
    await first.answer_dialog(accept=True)
    await first.client.answer(in_first)


@scenario
async def two_clients_one_answers(play: Play) -> None:
    first = await play.tab("/plain")
    second = await play.attach(await play.client(), first.target)
    await second.call("Page.enable")
    asked = first.evaluate("confirm('who?')")
    await first.opening()
    await second.opening()
    await second.answer_dialog(accept=True)
    await first.closed()
    await second.closed()
    await first.client.answer(asked)
    await first.answer_dialog(accept=False)


@scenario
async def page_enabled_on_one_of_two_clients(play: Play) -> None:
    first = await play.tab("/plain")
    other = await play.attach(await play.client(), first.target)
    asked = other.evaluate("confirm('who?')")
    await first.opening()
    await other.answer_dialog()
    await first.answer_dialog(accept=True)
    await other.client.answer(asked)


@scenario
async def page_enabled_nowhere(play: Play) -> None:
    """No session hears of it, and none can handle it; a navigation ends it."""
    tab = await play.tab("/plain")
    await tab.call("Page.disable")
    tab.evaluate("console.log('about to'); alert('unseen')")
    await tab.event("Runtime.consoleAPICalled")
    await asyncio.sleep(0.2)  # until it stands, of which nobody is told: one that opens as its page goes ends nothing
    await tab.answer_dialog()
    await tab.call("Page.navigate", {"url": f"{play.own}/second"})
    await tab.event("Runtime.executionContextCreated")


@scenario
async def attached_while_open(play: Play) -> None:
    """A session that comes later hears nothing of it and cannot answer it, but hears of its end."""
    tab = await play.tab("/plain")
    asked = tab.evaluate("confirm('early')")
    await tab.opening()
    late = await play.attach(await play.client(), tab.target)
    enabled = late.start("Page.enable")
    await late.answer_dialog()
    await tab.answer_dialog()
    await late.closed()
    await late.client.answer(enabled)
    await tab.client.answer(asked)


@scenario
async def evaluate_while_open(play: Play) -> None:
    """Calls for the renderer wait; calls for the browser do not."""
    tab = await play.tab("/plain")
    asked = tab.evaluate("alert('busy')")
    await tab.opening()
    waiting = [tab.evaluate("1 + 1"), tab.start("Page.getFrameTree"), tab.start("Runtime.enable")]
    await tab.call("Page.getNavigationHistory")
    await tab.client.call("Target.getTargetInfo", {"targetId": tab.target})
    await tab.call("Page.bringToFront")
    await tab.answer_dialog()
    for call in (asked, *waiting):
        await tab.client.answer(call)


@scenario
async def navigated_while_open(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.evaluate("confirm('leave?')")
    await tab.opening()
    await tab.navigate(f"{play.own}/second")


@scenario
async def reloaded_while_open(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.evaluate("confirm('leave?')")
    await tab.opening()
    await tab.call("Page.reload")
    await tab.loaded()


@scenario
async def closed_while_open(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.evaluate("confirm('leave?')")
    await tab.opening()
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def root_navigated_while_an_oopifs_is_open(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    await tab.navigate(f"{play.own}/second")


@scenario
async def root_reloaded_while_an_oopifs_is_open(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    await tab.call("Page.reload")
    await tab.loaded(oopifs=1)


@scenario
async def roots_open_while_the_oopif_works(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    asked = tab.evaluate("confirm('root')")
    await tab.opening()
    await tab.value("1 + 1", on=tab.frames[0])
    await tab.client.call("Page.handleJavaScriptDialog", {"accept": True}, on=tab.frames[0])
    await tab.answer_dialog()
    await tab.client.answer(asked)


@scenario
async def oopifs_open_while_the_root_works(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    asked = tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    await tab.value("document.title")
    waiting = tab.client.start("Page.getFrameTree", on=tab.frames[0])
    await tab.answer_dialog()
    await tab.client.answer(asked)
    await tab.client.answer(waiting)


@scenario
async def while_loading(play: Play) -> None:
    tab = await play.tab()
    tab.start("Page.navigate", {"url": f"{play.own}/early"})
    await tab.opening()
    await tab.answer_dialog()
    await tab.loaded()


@scenario
async def when_loaded(play: Play) -> None:
    tab = await play.tab()
    tab.start("Page.navigate", {"url": f"{play.own}/late"})
    await tab.opening()
    await tab.answer_dialog()
    await tab.loaded()


@scenario
async def three_by_timers(play: Play) -> None:
    """They open one after the other, each when the one before has been answered."""
    tab = await play.tab("/plain")
    tab.evaluate("; ".join(f"setTimeout(() => alert('{number}'), 0)" for number in range(3)) + "; 'armed'")
    for _ in range(3):
        await tab.opening()
        await tab.answer_dialog()
        await tab.closed()


@scenario
async def root_and_oopif_at_once(play: Play) -> None:
    """The second dialog of a tab cancels the first, and then no session can handle it."""
    tab = await play.tab("/with-oopif", oopifs=1)
    in_oopif = tab.evaluate("confirm('one')", on=tab.frames[0])
    await tab.opening()
    tab.evaluate("confirm('two')")
    await tab.opening()
    await tab.closed()
    await tab.client.answer(in_oopif)
    await tab.answer_dialog()
    await tab.navigate(f"{play.own}/second")


@scenario(fatal=True)
async def a_tab_closed_while_an_oopifs_is_open(play: Play) -> None:
    """This ends Chromium 156, and so the mock."""
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    tab.client.start("Target.closeTarget", {"targetId": tab.target})
    await tab.client.lost.wait()


@scenario(fatal=True)
async def handled_after_its_oopif_was_removed(play: Play) -> None:
    """So does this."""
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.evaluate("confirm('oopif')", on=tab.frames[0])
    await tab.opening()
    await tab.value("document.getElementById('inner').remove(); 'removed'")
    await tab.event("Target.detachedFromTarget")
    tab.start("Page.handleJavaScriptDialog", {"accept": True})
    await tab.client.lost.wait()
