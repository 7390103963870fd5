"""The live view as a Textual application."""

from __future__ import annotations

import asyncio
import sys
import traceback
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import DialogAction, PendingDialog, SupervisorSnapshot

from . import _screen as screen

PAUSE_S = 0.05
"""For this long further changes are collected before the screen is drawn again."""

RECENT = 3
"""Closed dialogs shown below the open ones, the last one first."""


class DialogList(OptionList, can_focus=False):
    """The open dialogs, one of them chosen, and the last closed ones."""

    dialogs: tuple[PendingDialog, ...] = ()

    @property
    def chosen(self) -> PendingDialog | None:
        """The dialog that keys are for."""
        return None if self.highlighted is None else self.dialogs[self.highlighted]

    def show(self, now: SupervisorSnapshot) -> None:
        """Show the dialogs of a snapshot: the chosen one stays chosen while it is open, then the oldest is."""
        chosen, self.dialogs = self.chosen, now.pending_dialogs
        closed = [screen.closed_dialog(record) for record in reversed(now.recent_dialogs[-RECENT:])]
        lines = closed if closed or self.dialogs else [Text("none", "dim")]
        self.set_options(Option(screen.open_dialog(dialog)) for dialog in self.dialogs)
        self.add_options(Option(line, disabled=True) for line in lines)
        self.set_class(bool(self.dialogs), "open")
        ids = [dialog.id for dialog in self.dialogs]
        self.highlighted = (ids.index(chosen.id) if chosen and chosen.id in ids else 0) if ids else None


class AnswerInput(Input):
    """The answer to a prompt while it is typed.

    The page's default is shown with control characters as escapes. It is sent as the page wrote it, with what is added
    at its end; once it is changed itself, the text is sent the way it is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "send", key_display="Enter"),  # shown in the footer
        Binding("escape", "app.take_back", "take back", key_display="Esc"),
    ]

    def __init__(self, dialog: PendingDialog) -> None:
        self.dialog = dialog
        self._offered = visible(dialog.default_prompt, len(dialog.default_prompt))
        super().__init__(self._offered, restrict=r"[^\x00-\x1f\x7f-\x9f]*", select_on_focus=False)
        self.border_title = "answer"

    async def on_key(self, event: Key) -> None:
        """Delete and send in the order of the keys: as bindings they would act after all text that is typed ahead."""
        match event.key:
            case "backspace":
                self.action_delete_left()
            case "enter":
                await self.action_submit()
            case _:
                return
        event.stop()

    def answer(self, value: str) -> str:
        """Return the text to send for what is in the input."""
        if not value.startswith(self._offered):
            return value
        return self.dialog.default_prompt + value[len(self._offered) :]


class WatchApp(App[bool]):
    """Shows what a running supervisor knows, and answers dialogs; its result is True when Ctrl-C ended it, not q."""

    CSS = """
    Screen { overflow: hidden; }
    DialogList, AnswerInput, VerticalScroll {
        border: round ansi_bright_black; padding: 0 1; scrollbar-size-vertical: 1;
    }
    DialogList { height: auto; max-height: 40vh; }
    DialogList.open { border: round ansi_red; }
    DialogList > .option-list--option-highlighted { text-style: reverse; }
    #status { text-wrap: nowrap; text-overflow: ellipsis; height: 1; }
    #frames { height: auto; max-height: 33vh; }
    Vertical { dock: bottom; height: auto; }
    Footer { dock: none; }
    """
    ENABLE_COMMAND_PALETTE = False
    # With priority, so that a key that is typed ahead goes to the input that the key before it opens.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer('accept')", "accept", priority=True),
        Binding("d", "answer('dismiss')", "dismiss", priority=True),
        Binding("j,down", "choose(1)", "choose", key_display="j/k", priority=True),
        Binding("k,up", "choose(-1)", show=False, priority=True),
        Binding("q", "quit", "quit", priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, supervisor: AsyncSupervisor) -> None:
        super().__init__()
        self.theme = "ansi-dark"  # the terminal's own colors
        self._supervisor = supervisor
        self._dialogs = DialogList()
        self._status, self._tree, self._lines, self._notice = Static(id="status"), Static(), Static(), Static()
        self._answer: AnswerInput | None = None

    def compose(self) -> ComposeResult:
        """Lay out the screen, from the top, and begin to follow the supervisor."""
        yield self._status
        yield self._dialogs
        with VerticalScroll(id="frames", can_focus=False) as frames:
            yield self._tree
        with VerticalScroll(can_focus=False) as console:
            yield self._lines
        with Vertical():
            yield self._notice
            yield Footer()
        self._dialogs.border_title, frames.border_title, console.border_title = "dialogs", "frames", "console"
        console.anchor()

    def on_mount(self) -> None:
        """Begin to follow the supervisor."""
        self._follow()

    @work
    async def _follow(self) -> None:
        changed, loop = asyncio.Event(), asyncio.get_running_loop()
        listener = self._supervisor.on_change(lambda change: loop.call_soon_threadsafe(changed.set))
        try:
            while True:
                await self._show(self._supervisor.snapshot())
                await changed.wait()
                await asyncio.sleep(PAUSE_S)
                changed.clear()
        finally:
            listener.close()

    async def _show(self, now: SupervisorSnapshot) -> None:
        self._status.update(screen.status_line(now))
        self._dialogs.show(now)
        self._tree.update(screen.frame_tree(now.frame_tree))
        self._lines.update(screen.console_lines(now))
        if self._answer is not None and all(dialog.id != self._answer.dialog.id for dialog in now.pending_dialogs):
            await self.action_take_back()
        self.refresh_bindings()

    def _fatal_error(self) -> None:
        """Tell the exception that is being handled.

        Textual's own way also prints the local variables of every function on the way, secrets among them.
        """
        lines = list[str]()
        for part in traceback.format_exception(sys.exception()):
            lines += part.splitlines() if part.startswith("  File ") else [part.strip("\n")]  # a message is one line
        self.panic(Text("\n".join(visible(line, 500) for line in lines)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys mean something: while an answer is typed they are text."""
        if action in ("answer", "choose"):
            return self._answer is None and bool(self._dialogs.dialogs)
        return self._answer is None or action != "quit"

    def action_choose(self, step: int) -> None:
        """Choose the next dialog, or the one before."""
        if step > 0:
            self._dialogs.action_cursor_down()
        else:
            self._dialogs.action_cursor_up()

    async def action_answer(self, action: DialogAction) -> None:
        """Answer the chosen dialog, or ask for the text of a prompt that is to be accepted."""
        self._notice.update()
        if (dialog := self._dialogs.chosen) is None:
            return
        if action == "accept" and dialog.type == "prompt":
            self._answer = AnswerInput(dialog)
            await self.query_one(Vertical).mount(self._answer, before=self._notice)
            self.screen.set_focus(self._answer)
        else:
            self._respond(dialog.id, action)

    async def on_input_submitted(self, event: AnswerInput.Submitted) -> None:
        """Send the text that was typed for a prompt."""
        if self._answer is not None:
            self._respond(self._answer.dialog.id, "accept", self._answer.answer(event.value))
            await self.action_take_back()

    async def action_take_back(self) -> None:
        """Type no answer any more."""
        if self._answer is not None:
            answer, self._answer = self._answer, None
            await answer.remove()

    def action_interrupt(self) -> None:
        """End as Ctrl-C ends a program."""
        self.exit(True)

    @work
    async def _respond(self, dialog_id: str, action: DialogAction, text: str | None = None) -> None:
        try:
            record = await self._supervisor.respond_to_dialog(action, text, dialog_id)
        except CDPError as error:
            self._notice.update(Text(visible(str(error))))
        else:
            self._notice.update(Text(f"{dialog_id} {'accepted' if record.accepted else 'dismissed'}"))
