"""One viewer: a websocket that sends changes to the web page and receives the person's actions."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.redaction import REDACTED
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.driver.takeover import allowed

from .input_events import commands_of
from .messages import AnswerDialog, EndBlocker, GiveBack, Go, KeyEvent, Look, Message, MouseEvent, TakeOver, TypeText
from .screencast import TabPicture
from .sections import Sections
from .view import LiveView

PROTOCOL = "cdp-live"
"""The websocket subprotocol."""
BAD_MESSAGE = 1008
"""The websocket close code of a viewer that says what no page of ours says."""

_log = logging.getLogger("supervisor.live")
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Message)


class Viewer:
    """A web page that shows the view. Over a slow connection it lags and skips old pictures."""

    def __init__(self, view: LiveView, socket: WebSocket) -> None:
        self.tab: str | None = None
        self.sees_others: bool = False
        self._view = view
        self._socket = socket
        self._sent: dict[str, bytes] = {}
        self._sections: dict[str, bytes] = {}
        self._pictures: dict[str, TabPicture] = {}
        self._notices: list[str] = []
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve it until it goes away."""
        await self._socket.accept(subprotocol=PROTOCOL)
        self._view.enter(self)
        self.show_state(self._view.state(self))
        sending = asyncio.create_task(self._send())
        try:
            await self._receive()
        finally:
            for task in (sending, *self._tasks):
                task.cancel()
            await asyncio.wait([sending, *self._tasks])
            await self._view.leave(self)

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

    def tell(self, notice: str) -> None:
        """Show a sentence."""
        self._notices.append(visible(notice, 500))
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
        except (WebSocketDisconnect, RuntimeError):  # it has gone; the receiving side ends the rest
            return

    async def _receive(self) -> None:
        while True:
            try:
                said = _decoder.decode(await self._socket.receive_text())
            except WebSocketDisconnect:
                return
            except (msgspec.DecodeError, KeyError):  # a binary message has no text
                await self._socket.close(BAD_MESSAGE, "That is no message of this page.")
                return
            self._do(said)

    def _do(self, said: Message) -> None:
        match said:
            case Look(target_id=target_id, others=others):
                self.tab, self.sees_others = target_id, others
                self._view.look()
            case TakeOver():
                if not self._view.take_over(self):
                    self.tell("The browser cannot be taken over: another viewer controls it, or it is not there.")
            case GiveBack():
                self._view.give_back(self)
            case MouseEvent() | KeyEvent() | TypeText():
                if self.tab is not None and self._view.controls(self):
                    for command in commands_of(said):
                        self._view.screencasts.send(self.tab, command)
            case AnswerDialog() | Go() | EndBlocker():
                task = asyncio.create_task(self._act(said))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _act(self, said: AnswerDialog | Go | EndBlocker) -> None:
        """Carry out a person's action, and show a sentence when it fails."""
        try:
            supervisor = self._view.supervisor
            if supervisor is None:
                raise NotRunning("not started")
            with allowed():
                match said:
                    case AnswerDialog(dialog_id=dialog_id, accept=accept, text=text):
                        await supervisor.answer_for_person("accept" if accept else "dismiss", text, dialog_id)
                    case Go(url=url):
                        await self._go(supervisor, url)
                    case EndBlocker():
                        await _end_blocker(supervisor, said)
        except CDPError as error:
            self.tell(str(error))
        except Exception as error:  # a mistake of ours ends no viewer
            _log.exception("a viewer's wish failed")
            self.tell(f"It failed ({type(error).__name__}).")

    async def _go(self, supervisor: AsyncSupervisor, url: str | None) -> None:
        if self.tab is None or not self._view.controls(self):
            self.tell("Take the browser over first.")
        elif url is None or REDACTED in url:  # the address that is shown has no secrets
            await supervisor.reload_page(self.tab)
        else:
            await supervisor.navigate(url, self.tab)


async def _end_blocker(supervisor: AsyncSupervisor, said: EndBlocker) -> None:
    match said.way:
        case "files":
            await supervisor.choose_files(said.paths, said.blocker_id)
        case "log_in":
            await supervisor.answer_auth(said.username, said.password, said.blocker_id)
        case "cancel_log_in":
            await supervisor.cancel_auth(said.blocker_id)
        case "cancel_download":
            await supervisor.cancel_download(said.blocker_id)
        case "cancel_print":
            await supervisor.cancel_print(said.blocker_id)
        case "resume":
            await supervisor.resume_script(said.blocker_id)


def _written(picture: TabPicture) -> bytes:
    """One message: the length of a head in two bytes, the head as JSON, the picture."""
    head = _encode(
        {"tab": picture.target_id, "large": picture.is_large, "width": picture.width, "height": picture.height}
    )
    return len(head).to_bytes(2, "big") + head + picture.jpeg
