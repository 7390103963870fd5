"""Keys and screen of the live view, without a terminal."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from cdp_typed.mock import ThreadedMockServer
from supervisor import AsyncSupervisor, CDPSupervisor
from supervisor.watch._app import WatchApp
from tests.support.screens import lines_of

DEADLINE_S = 60.0

pytestmark = pytest.mark.thorough


HELP = "http://pay.test/"


class LiveView:
    """The live view of a supervisor, its keys, and what it shows."""

    def __init__(self, supervisor: AsyncSupervisor, pilot: Pilot[bool]) -> None:
        self.supervisor = supervisor
        self.app = pilot.app
        self.press = pilot.press
        self._pilot = pilot

    def shown(self) -> str:
        """The screen as text."""
        return "\n".join(lines_of(self.app))

    async def until(self, holds: Callable[[str], bool]) -> str:
        """Wait until the screen is as it should be."""
        ends = time.monotonic() + DEADLINE_S
        while not holds(shown := self.shown()):
            assert time.monotonic() < ends, shown
            await self._pilot.pause(0.02)
        return shown


@asynccontextmanager
async def live_view(url: str) -> AsyncGenerator[LiveView]:
    async with AsyncSupervisor(url) as supervisor, WatchApp(supervisor).run_test(size=(100, 30)) as pilot:
        yield LiveView(supervisor, pilot)


@pytest.fixture
async def view(mock: ThreadedMockServer, other: CDPSupervisor) -> AsyncIterator[LiveView]:
    """The live view of a shop without dialogs."""
    async with live_view(mock.url) as view:
        await view.until(lambda shown: "pay.test" in shown and "q quit" in shown)
        yield view


def ask(other: CDPSupervisor, dialog: str, frame_id: str | None = None) -> None:
    """Have a page open a dialog a moment later."""
    other.evaluate(f"setTimeout(() => {{ window.answer = {dialog} }}, 0)", frame_id)


@pytest.mark.parametrize(
    ("keys", "closed"),
    [
        (["a"], "d-1 confirm accepted"),
        (["d"], "d-1 confirm dismissed"),
        (["x", "enter", "j", "a"], "d-2 confirm accepted"),
        (["down", "down", "a"], "d-1 confirm accepted"),
        (["up", "a"], "d-2 confirm accepted"),
        (["k", "k", "d"], "d-1 confirm dismissed"),
    ],
    ids=str,
)
async def test_a_key_answers_the_chosen_dialog(
    view: LiveView, other: CDPSupervisor, keys: list[str], closed: str
) -> None:
    ask(other, "confirm('first')")
    await view.until(lambda shown: 'd-1 confirm "first"' in shown)
    ask(other, "confirm('second')", other.open_page(HELP, select=False).target_id)
    await view.until(lambda shown: 'd-2 confirm "second"' in shown)

    await view.press(*keys)

    await view.until(lambda shown: closed in shown)
    assert len(view.supervisor.snapshot().recent_dialogs) == 1


async def test_the_text_of_a_page_is_neither_markup_nor_an_order_to_the_terminal(
    view: LiveView, other: CDPSupervisor
) -> None:
    ask(other, "confirm('[red]x[/red][@click=quit]y[/]\\n\\x1b[2J\\u202e\\ud83d\\ude00\\ufe0f z')")

    shown = await view.until(lambda shown: "d-1 confirm" in shown)

    line = next(line for line in shown.splitlines() if "d-1 confirm" in line)
    assert "[red]x[/red][@click=quit]y[/]" in line
    assert "\\x1b[2J\\u202e" in line
    assert all(text.isprintable() for text in shown.splitlines())


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["a", "x", "enter"], "nob\u00f6dy\x1b[2Jx"),
        (["a", "enter"], "nob\u00f6dy\x1b[2J"),
        (["a", *["backspace"] * 9, "q", "up", "d", "enter"], "nob\u00f6qd"),
        (["a", "x", "escape", "d"], None),
        (["a", "x", "escape", "a", "ctrl+u", "enter"], ""),
    ],
    ids=str,
)
async def test_the_text_of_a_prompt_is_typed(
    view: LiveView, other: CDPSupervisor, keys: list[str], answer: str | None
) -> None:
    """A default that nothing was changed in is sent with its control characters."""
    ask(other, "prompt('name?', 'nob\u00f6dy\x1b[2J')")
    await view.until(lambda shown: "a accept" in shown)

    await view.press(*keys)

    await view.until(lambda shown: "d-1 prompt " + ("dismissed" if answer is None else "accepted") in shown)
    assert other.evaluate("window.answer").value == answer


async def test_typing_ends_with_the_dialog_that_it_is_for(view: LiveView, other: CDPSupervisor) -> None:
    ask(other, "prompt('name?')")
    await view.until(lambda shown: "a accept" in shown)
    await view.press("a", "q")
    await view.until(lambda shown: "Enter send" in shown)

    other.respond_to_dialog("dismiss")

    await view.until(lambda shown: "d-1 prompt dismissed" in shown and "q quit" in shown)
    assert "answer" not in view.shown()


async def test_without_a_dialog_only_q_means_anything(view: LiveView) -> None:
    await view.press("a", "d", "j", "k", "enter", "escape")

    assert "none" in view.shown()
    assert "accept" not in view.shown()
    assert view.app.is_running


async def test_a_page_can_neither_write_on_the_terminal_nor_give_keys_a_meaning(
    view: LiveView, other: CDPSupervisor
) -> None:
    """Neither by control characters nor by the markup of Textual."""
    link = "[@click=app.quit]free[/]"
    other.evaluate(f"console.log('\x1b[2J {link} :boom:')")
    ask(other, f"prompt('\x1b[31m{link}', '\x07{link}')")
    await view.until(lambda shown: "d-1 prompt" in shown)
    await view.press("a")

    shown = await view.until(lambda shown: "Enter send" in shown)

    assert "\x1b" not in shown
    assert f"log      \\x1b[2J {link} :boom:" in shown
    assert f'd-1 prompt "\\x1b[31m{link}"' in shown
    assert f"\\x07{link}" in shown


async def test_what_is_pasted_has_no_control_characters(view: LiveView, other: CDPSupervisor) -> None:
    ask(other, "prompt('name?', 'Ada')")
    await view.until(lambda shown: "a accept" in shown)
    await view.press("a")

    view.app.post_message(Paste(" Byron\x1b[2J"))
    view.app.post_message(Paste(" Lovelace"))

    await view.until(lambda shown: "Ada Lovelace" in shown)


async def test_the_view_outlives_the_connection() -> None:
    """Dialogs and frames stay in sight; an answer that cannot be given is an error on the screen."""
    async with AsyncExitStack() as stack:
        with ThreadedMockServer() as server:
            view = await stack.enter_async_context(live_view(server.url))
            await view.supervisor.evaluate("setTimeout(() => confirm('sure?'), 0)")
            await view.until(lambda shown: "a accept" in shown)
        await view.until(lambda shown: "reconnecting" in shown)

        await view.press("a")

        shown = await view.until(lambda shown: "takes no answer for dialog 'd-1'" in shown)
        assert 'd-1 confirm (takes no answer any more) "sure?"' in shown


async def test_where_there_is_no_page_the_screen_says_so(mock: ThreadedMockServer) -> None:
    async with live_view(mock.url) as view:
        await view.until(lambda shown: "about:blank" in shown)

        mock.browser.close_page(mock.browser.pages[0].id)

        await view.until(lambda shown: "no page" in shown)


@pytest.mark.parametrize(("key", "interrupted"), [("q", None), ("ctrl+q", None), ("ctrl+c", True)])
async def test_a_key_ends_the_view(view: LiveView, key: str, interrupted: bool | None) -> None:
    await view.press(key)

    assert not view.app.is_running
    assert view.app.return_value is interrupted


async def test_ctrl_c_ends_the_view_while_an_answer_is_typed(view: LiveView, other: CDPSupervisor) -> None:
    ask(other, "prompt('name?')")
    await view.until(lambda shown: "a accept" in shown)

    await view.press("a", "q", "ctrl+c")

    assert view.app.return_value is True
