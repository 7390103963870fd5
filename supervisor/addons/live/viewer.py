"""One viewer: a websocket that sends changes to the web page and receives the person's actions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from cdp_typed.conversions import decode
from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NavigationFailed, NotRunning, UnknownPage
from supervisor.driver.takeover import allowed

from . import person
from .input_events import commands_of
from .messages import (
    Action,
    AnswerDialog,
    ApproveCall,
    Choose,
    Compose,
    Copy,
    EndBlocker,
    GiveBack,
    GiveTab,
    Input,
    KeyEvent,
    Message,
    MouseEvent,
    NavigateTab,
    NewTab,
    RefuseCall,
    SetSize,
    TakeOver,
    TakeTabBack,
    TouchEvent,
    TypeText,
    WatchTab,
)
from .screencast import TabPicture
from .sections import Sections
from .view import LiveView

PROTOCOL = "cdp-live"
"""The websocket subprotocol."""
BAD_MESSAGE = 1008
GOING_AWAY = 1001
"""The websocket close code for a viewer that sends a message that the live view's page never sends."""
TAP_S = 0.3
"""Seconds after the end of a touch in which the browser may make a click of it."""
STREAMED = frozenset({"mouseMoved", "mouseWheel", "touchMove"})
"""Inputs that come many times a second while they last: the pace of the pictures is enough for them."""

_log = logging.getLogger("supervisor.live")
_encode = msgspec.json.Encoder().encode


class Notice(Struct, frozen=True, omit_defaults=True):
    """A sentence for the person, with a button that may help."""

    text: str
    button: str = ""
    """Its label; empty for none."""
    says: TakeOver | NavigateTab | None = None
    """The message that the button sends."""
    tab: str | None = None
    """The target id of the tab that the message is about."""


class Viewer:
    """A web page that shows the view. Over a slow connection it lags and skips old pictures."""

    def __init__(self, view: LiveView, socket: WebSocket) -> None:
        self.tab: str | None = None
        self.sees_others: bool = False
        self.is_small: bool = False
        self.window: tuple[int, int] | None = None
        self.host: str = socket.headers.get("host", "")
        self._view = view
        self._socket = socket
        self._sent: dict[str, bytes] = {}
        self._sections: dict[str, bytes] = {}
        self._pictures: dict[str, TabPicture] = {}
        self._notices: list[Notice] = []
        self._copies = 0
        self._open_list: person.OpenList | None = None
        self._last_input: asyncio.Future[object] | None = None
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve it until it goes away."""
        await self._socket.accept(subprotocol=PROTOCOL)
        self._view.enter(self)
        both = [asyncio.create_task(self._send()), asyncio.create_task(self._receive())]
        try:
            self.show_state(self._view.state(self))
            ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()  # raises what it raised, which ends the websocket
        finally:
            for task in (*both, *self._tasks):
                task.cancel()
            await asyncio.wait([*both, *self._tasks])
            await self._view.leave(self)

    async def end(self, text: str) -> None:
        """Tell the person why the view ends, then close the websocket."""
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._socket.send_text((b'{"notices":' + _encode([Notice(visible(text, 500))]) + b"}").decode())
            await self._socket.close(GOING_AWAY)

    def show_state(self, now: Sections) -> None:
        """Show what is known now: the sections that have changed."""
        for name, section in now.items():
            self._sections[name] = _encode(section)
        self._news.set()

    def show_picture(self, picture: TabPicture) -> None:
        """Show a picture; it takes the place of one of its tab that is not sent yet."""
        if picture.jpeg or picture.target_id not in self._pictures:
            self._pictures[picture.target_id] = picture
        self._news.set()

    def tell(
        self, text: str, button: str = "", says: TakeOver | NavigateTab | None = None, tab: str | None = None
    ) -> None:
        """Show a sentence, with a button that sends this message."""
        self._notices.append(Notice(visible(text, 500), button, says, tab))
        self._news.set()

    async def _send(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                news = {name: text for name, text in self._sections.items() if self._sent.get(name) != text}
                self._sent.update(news)
                notices, self._notices = self._notices, []
                if notices:
                    news["notices"] = _encode(notices)
                if news:
                    fields = b",".join(_encode(name) + b":" + text for name, text in news.items())
                    await self._socket.send_text((b"{" + fields + b"}").decode())
                pictures, self._pictures = self._pictures, {}
                for picture in pictures.values():
                    await self._socket.send_bytes(_written(picture))
        except (WebSocketDisconnect, RuntimeError):  # it has gone
            return

    async def _receive(self) -> None:
        while True:
            try:
                said: Message = decode(await self._socket.receive_text(), Message)
            except WebSocketDisconnect:
                return
            except (msgspec.DecodeError, KeyError):  # a binary message has no text
                await self._socket.close(BAD_MESSAGE, "That is no message of this page.")
                return
            try:
                self._do(said)
            except Exception as error:
                self._fail(error)

    def _do(self, said: Message) -> None:
        match said:
            case WatchTab(target_id=target_id, others=others, small=small):
                self.tab, self.sees_others, self.is_small = target_id, others, small
                self._bring_to_front()
                self._view.look()
            case TakeOver():
                if not self._view.take_over(self):
                    self.tell("The browser cannot be taken over: another viewer controls it, or it is not there.")
                self._bring_to_front()
            case GiveBack():
                self._view.give_back(self)
            case SetSize(width=width, height=height):
                self.window = (width, height)
                self._view.look()
            case ApproveCall() | RefuseCall():
                self._decide(said)
            case MouseEvent() | KeyEvent() | TypeText() | Compose() | TouchEvent():
                if self.tab is not None and self._view.controls(self):
                    self._send_input(said, self.tab)
            case _:
                self._spawn(self._act(said))

    def _decide(self, said: ApproveCall | RefuseCall) -> None:
        approvals = self._view.approvals
        if approvals is None:
            return
        if isinstance(said, RefuseCall):
            approvals.refuse(said.approval_id, said.words)
        else:
            try:
                approvals.approve(said.approval_id, said.arguments)
            except ValueError:
                self.tell("The arguments are not a JSON object.")
        self._view.look()

    def _bring_to_front(self) -> None:
        """A tab behind another opens no list and keeps its size."""
        if self.tab is not None and self._view.controls(self):
            self._view.screencasts.send(self.tab, page.BringToFront())

    def _send_input(self, said: Input, tab: str) -> None:
        last: asyncio.Future[object] | None = None
        is_streamed = isinstance(said, (MouseEvent, TouchEvent)) and said.type in STREAMED
        for command in commands_of(said):
            last = self._view.screencasts.send(tab, command, is_urgent=not is_streamed)
        if last is not None:
            self._last_input = last
        is_click = isinstance(said, MouseEvent) and said.type == "mouseReleased" and said.button == "left"
        is_tap = isinstance(said, TouchEvent) and said.type == "touchEnd"
        is_key = isinstance(said, KeyEvent) and said.type == "keyUp" and self._open_list is not None
        if last is not None and (is_click or is_tap or is_key):
            self._spawn(self._look_for_list(tab, last, TAP_S if is_tap else 0))

    async def _look_for_list(self, tab: str, after: asyncio.Future[object], pause_s: float = 0) -> None:
        """Show the list of a `<select>` that an input may have opened or closed."""
        await asyncio.wait([after])
        await asyncio.sleep(pause_s)
        supervisor = self._view.supervisor
        if supervisor is not None:
            with allowed(), suppress(CDPError):
                self._show_list(await person.open_list(supervisor, tab))

    def _show_list(self, opened: person.OpenList | None) -> None:
        self._open_list = opened
        self._show("list", opened)

    def _show(self, name: str, section: object) -> None:
        self._sections[name] = _encode(section)
        self._news.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _act(self, said: Action) -> None:
        """Carry out a person's action, and show a sentence when it fails."""
        try:
            supervisor = self._view.supervisor
            if supervisor is None:
                raise NotRunning("not started")
            with allowed():
                if isinstance(said, (AnswerDialog, EndBlocker)):
                    await person.answer(supervisor, said)
                elif isinstance(said, GiveTab):
                    if not self._view.offers(said.target_id):
                        raise UnknownPage(said.target_id)
                    await supervisor.give_page(said.target_id)
                elif isinstance(said, TakeTabBack):
                    await supervisor.take_page_back(said.target_id)
                elif self.tab is None or not self._view.controls(self):
                    self.tell("Take the browser over first.", "Take over", TakeOver())
                else:
                    await self._act_in_control(supervisor, self.tab, said)
        except CDPError as error:
            self.tell(str(error))
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """A bug in this library ends no viewer."""
        _log.error("a viewer's wish failed", exc_info=error)
        self.tell(f"It failed ({type(error).__name__}).")

    async def _act_in_control(
        self, supervisor: AsyncSupervisor, tab: str, said: NavigateTab | NewTab | Copy | Choose
    ) -> None:
        match said:
            case NavigateTab():
                try:
                    await person.go(supervisor, tab, said)
                except NavigationFailed as error:
                    self.tell(str(error), "Try again", said, tab)
            case NewTab():
                self._show("opened", await person.open_tab(supervisor))
            case Copy():
                if self._last_input is not None:  # it may select what is copied
                    await asyncio.wait([self._last_input], timeout=person.LOOK_S)
                text = await person.selected_text(supervisor, tab)
                self._copies += 1  # the same text twice is sent twice
                self._show("clipboard", {"number": self._copies, "text": text})
            case Choose(index=index):
                keys = self._open_list.keys_to(index) if self._open_list is not None else ()
                self._show_list(None)  # or each key would ask whether the list is still open
                for key in keys:
                    self._send_input(key, tab)


def _written(picture: TabPicture) -> bytes:
    """One message: the length of a head in two bytes, the head as JSON, the picture."""
    head = _encode(
        {"tab": picture.target_id, "large": picture.is_large, "width": picture.width, "height": picture.height}
    )
    return len(head).to_bytes(2, "big") + head + picture.jpeg
