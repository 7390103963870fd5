"""A person's actions that the supervisor carries out: answers, navigation, the clipboard, and lists of options."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from typing import Any, assert_never

from msgspec import Struct, ValidationError
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.protocol import page
from cdp_typed.redaction import REDACTED
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, SupervisorSnapshot
from supervisor.tools.page.scripts import unnamed_members

from .messages import AnswerDialog, EndBlocker, KeyEvent, NavigateTab

LOOK_S = 2.0
"""Seconds for a frame to tell its selection or its open list."""
MAX_COPIED = 1_000_000
"""Characters of the clipboard."""
MAX_OPTIONS = 1_000
_KEY_CODES = {"Home": 36, "ArrowDown": 40, "Enter": 13}

_FOCUSED = "let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;"
_SELECTED = f"""(() => {{ {_FOCUSED}
    if (at?.type === 'password') return [document.hasFocus(), ''];
    const isField = typeof at?.selectionStart === 'number';
    const text = isField ? at.value.slice(at.selectionStart, at.selectionEnd) : String(getSelection());
    return [document.hasFocus(), text.slice(0, {MAX_COPIED})] }})()"""
_OPEN_LIST = f"""(() => {{ {_FOCUSED}
    if (!(at instanceof HTMLSelectElement) || !at.matches(':open')) return null;
    if (getComputedStyle(at).appearance === 'base-select') return null; // the page draws it
    return {{ selected: at.selectedIndex, options: Array.from(at.options).slice(0, {MAX_OPTIONS}).map(option => ({{
        text: option.label, disabled: option.matches(':disabled'), group: option.closest('optgroup')?.label ?? ''
    }})) }} }})()"""


class ListOption(Struct, frozen=True):
    """One option of a list."""

    text: str
    disabled: bool
    group: str
    """The label of its `optgroup`."""


class OpenList(Struct, frozen=True):
    """The options of a `<select>` whose list is open. The browser draws it outside the page: no picture has it."""

    selected: int
    options: tuple[ListOption, ...]

    def keys_to(self, index: int) -> Iterator[KeyEvent]:
        """Yield the keys that choose an option, as a person would press them."""
        option = self.options[index] if index < len(self.options) else None
        if option is None or option.disabled:
            return
        steps = sum(not other.disabled for other in self.options[:index])
        for key in ("Home", *["ArrowDown"] * steps, "Enter"):
            for kind in ("keyDown", "keyUp"):
                yield KeyEvent(type=kind, key=key, code=key, key_code=_KEY_CODES[key])


def frames_by_tab(frames: tuple[FrameInfo, ...], now: SupervisorSnapshot) -> Iterator[tuple[str, int, FrameInfo]]:
    """Yield each frame with the target id of its tab and its depth, depth first."""
    pages = {page.session_id: page.target_id for page in now.pages}
    depths: dict[str, int] = {}
    tab = ""
    for frame in frames:
        depths[frame.frame_id] = depth = depths[frame.parent_id] + 1 if frame.parent_id in depths else 0
        if depth == 0:
            tab = pages.get(frame.session_id, frame.frame_id)
        yield tab, depth, frame


async def answer(supervisor: AsyncSupervisor, done: AnswerDialog | EndBlocker) -> None:
    """Answer a dialog or end a blocker. Raises what the supervisor raises."""
    if isinstance(done, AnswerDialog):
        await supervisor.answer_for_person("accept" if done.accept else "dismiss", done.text, done.dialog_id)
        return
    match done.way:
        case "files":
            await supervisor.choose_files(done.paths, done.blocker_id)
        case "log_in":
            await supervisor.answer_auth(done.username, done.password, done.blocker_id)
        case "cancel_log_in":
            await supervisor.cancel_auth(done.blocker_id)
        case "cancel_download":
            await supervisor.cancel_download(done.blocker_id)
        case "cancel_print":
            await supervisor.cancel_print(done.blocker_id)
        case "resume":
            await supervisor.resume_script(done.blocker_id)
        case "reload":
            for blocker in supervisor.snapshot().blockers:
                if blocker.id == done.blocker_id:
                    await supervisor.reload_page(blocker.target_id)
        case _:
            assert_never(done.way)


async def open_tab(supervisor: AsyncSupervisor) -> str:
    """Open an empty tab, to which the agent's calls do not go, and return its target id."""
    return (await supervisor.open_page(select=False)).target_id


async def go(supervisor: AsyncSupervisor, tab: str, done: NavigateTab) -> None:
    """Navigate a tab or close it. Raises what the supervisor raises."""
    match done.way:
        case "address" if REDACTED not in done.url:
            await supervisor.navigate(done.url, tab)
        case "address" | "reload":  # the address that is shown has no secrets
            await supervisor.reload_page(tab)
        case "back":
            await _go_by(supervisor, tab, -1)
        case "forward":
            await _go_by(supervisor, tab, 1)
        case "stop":
            await supervisor.send(page.StopLoading(), _top_of(supervisor, tab))
        case "close":
            await supervisor.close_page(tab)
        case _:
            assert_never(done.way)


async def selected_text(supervisor: AsyncSupervisor, tab: str) -> str:
    """Return the selected text of the frame of a tab that has the focus; of a password field none."""
    found = ""
    async for value in _in_frames(supervisor, tab, _SELECTED):
        with suppress(ValidationError):  # the page's scripts may give anything
            has_focus, text = convert(value, tuple[bool, str])
            if text and (has_focus or not found):
                found = text[:MAX_COPIED]
    return found


async def open_list(supervisor: AsyncSupervisor, tab: str) -> OpenList | None:
    """Return the list of a `<select>` that is open in a tab, if any."""
    async for value in _in_frames(supervisor, tab, _OPEN_LIST):
        with suppress(ValidationError):  # the page's scripts may give anything
            opened = convert(value, OpenList | None)
            if opened is not None:
                return replace(opened, options=tuple(map(_shown, opened.options[:MAX_OPTIONS])))
    return None


def _shown(option: ListOption) -> ListOption:
    return replace(option, text=visible(option.text, 200), group=visible(option.group, 200))


async def _go_by(supervisor: AsyncSupervisor, tab: str, steps: int) -> None:
    frame_id = _top_of(supervisor, tab)
    history = await supervisor.send(page.GetNavigationHistory(), frame_id)
    wanted = history.current_index + steps
    if 0 <= wanted < len(history.entries):
        command: Command[Any] = page.NavigateToHistoryEntry(entry_id=history.entries[wanted].id)
        await supervisor.send(command, frame_id)


def _frames(supervisor: AsyncSupervisor, tab: str) -> Iterator[str]:
    for of_tab, _, frame in frames_by_tab(supervisor.frames(), supervisor.snapshot()):
        if of_tab == tab:
            yield frame.frame_id


def _top_of(supervisor: AsyncSupervisor, tab: str) -> str:
    return next(_frames(supervisor, tab), tab)


async def _in_frames(supervisor: AsyncSupervisor, tab: str, expression: str) -> AsyncGenerator[Any]:
    """Yield the value of an expression in each frame of a tab that gives one."""
    for frame_id in tuple(_frames(supervisor, tab)):
        try:
            yield (await supervisor.evaluate(unnamed_members.expression(expression), frame_id, timeout_s=LOOK_S)).value
        except (CDPError, TimeoutError):  # a dialog, a frame that has gone, a browser that does not know `:open`
            continue
