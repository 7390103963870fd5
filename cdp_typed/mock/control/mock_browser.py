"""`MockBrowser`: the fake browser in a test's hands, without a socket.

It is inspected, scripted and driven here; commands are dispatched in `dispatch`. Its methods are thread-safe. Its
messages go to `deliver`, which a server sets, or else are collected in `sent`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard, TypeVar, overload

import msgspec
from msgspec.structs import replace

from cdp_typed._base import Command, Event
from cdp_typed.conversions import convert
from cdp_typed.mock.control.call_log import ReceivedCommands
from cdp_typed.mock.control.dispatch import DispatchingBrowser, fault_of
from cdp_typed.mock.control.faults import EndConnection, ReadSlowly, WireFrame
from cdp_typed.mock.control.stubs import Action, Answer, ConnectionEnd, Detach, Fault, Hang, Refuse, Rule
from cdp_typed.mock.engine import handle
from cdp_typed.mock.engine.command_support import ALWAYS_ENABLED
from cdp_typed.mock.errors import NoSuchThing, NotEnabled
from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.crashes import crash_target
from cdp_typed.mock.flows.navigation import open_page
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.page.dialogs import dismiss
from cdp_typed.mock.page.frames import navigate_child, remove_frame
from cdp_typed.mock.runtime.expressions import strip_source_url
from cdp_typed.mock.site import Page, Site
from cdp_typed.mock.state.browser_state import CDPSession, Dialog, ScriptRun, Target
from cdp_typed.mock.state.cookies import CookieJar
from cdp_typed.mock.state.error_texts import Refusal
from cdp_typed.mock.state.messages import Hangup
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import BLANK_URL
from cdp_typed.mock.validate import check_result
from cdp_typed.protocol.registry import command_class
from cdp_typed.schema import load_schema
from cdp_typed.spelling import did_you_mean

R = TypeVar("R")
Reply = Callable[[dict[str, Any]], Mapping[str, Any]]
CommandT = TypeVar("CommandT", bound=Command[Any])


class MockBrowser(DispatchingBrowser):
    """A browser with the pages of `site` and one tab open at `about:blank`, like a freshly started Chrome.

    A command that it does not model is refused; with `samples` it is answered with a sample of the schema.
    """

    def __init__(
        self,
        site: Site | Mapping[str, Page] | None = None,
        *,
        clock: Callable[[], float] = time.time,
        samples: bool = False,
    ) -> None:
        super().__init__(site if isinstance(site, Site) else Site(dict(site or {})), clock, samples=samples)
        self.open_page()

    # -- state ---------------------------------------------------------------------------------------------------

    @property
    def samples(self) -> bool:
        """Return whether commands that are not modelled are answered with samples of the schema."""
        return self._state.samples

    @samples.setter
    def samples(self, on: bool) -> None:
        with self._lock:
            self._state = replace(self._state, samples=on)

    @property
    def pages(self) -> tuple[Target, ...]:
        """Return the open tabs, oldest first."""
        return tuple(target for target in self._state.targets.values() if target.type == "page")

    @property
    def dialogs(self) -> tuple[Dialog, ...]:
        """Return the open dialogs, oldest first."""
        return self._state.dialogs

    @property
    def cookies(self) -> CookieJar:
        """Return the cookies of all browser contexts, oldest first."""
        return self._state.cookies

    @overload
    def received(self, command: type[CommandT]) -> tuple[CommandT, ...]: ...
    @overload
    def received(self, command: str) -> tuple[Command[Any], ...]: ...
    def received(self, command: type[Command[Any]] | str) -> tuple[Command[Any], ...]:
        """Return the calls of one command so far, as commands. Raises `NoSuchThing` for the name of none."""
        method = command_name(command)
        kind = command_class(method) if isinstance(command, str) else command
        calls = self.calls
        return ReceivedCommands(method, (convert(call.params, kind) for call in calls if call.method == method), calls)

    def frame_named(self, name: str) -> str:
        """Return the id of the iframe of that name. Raises `NoSuchThing`."""
        for frame in self._state.frames.values():
            if frame.name == name:
                return frame.id
        raise NoSuchThing(f"no frame is named {name!r}; named: {[frame.name for frame in self._state.frames.values()]}")

    # -- stubs ---------------------------------------------------------------------------------------------------

    def on(
        self,
        command: type[Command[R]] | str,
        reply: R | Mapping[str, Any] | Reply | Refusal,
        *,
        nth: int | None = None,
    ) -> None:
        """Reply to this command in place of the model: to every call, or to the `nth` from now on.

        A command is its class or its name on the wire (`"Page.navigate"`). Raises `NonConforming` for a result that the
        schema forbids; for what a callable makes of the wire parameters it gets, that happens when the call arrives.
        Raises `NoSuchThing` for a name that is not one of a command.
        """
        method = command_name(command)
        if isinstance(reply, Refusal):
            self._add(method, Refuse(reply), nth)
        elif _makes_replies(reply):
            self._add(method, Answer(reply), nth)
        else:
            result: Any = {} if reply is None else msgspec.to_builtins(reply)
            check_result(method, result)
            self._add(method, Answer(result), nth)

    def hang(self, command: type[Command[Any]] | str, *, nth: int | None = None) -> None:
        """Never answer this command. Raises `NoSuchThing` for a name that is not one of a command."""
        self._add(command_name(command), Hang(), nth)

    def fault(
        self, of: type[Command[Any]] | type[Event] | str, fault: Fault | Detach, *, nth: int | None = None
    ) -> None:
        """Perform a command as usual and apply `fault` to its reply, or apply it to an event, whatever caused that."""
        self.add_rule(Rule(message_name(of), fault, nth))

    def add_rule(self, rule: Rule) -> None:
        """Add a rule by its wire name. Raises `NoSuchThing` and `NonConforming`."""
        if isinstance(rule.action, Answer) and not callable(rule.action.result):
            check_result(command_name(rule.method), rule.action.result)
        elif message_name(rule.method) in load_schema().events:
            fault_of(rule.action)
        with self._lock:
            self._stubs = self._stubs.add(rule)

    def forget(self, of: type[Command[Any]] | type[Event] | str) -> None:
        """Remove the rules for this command or event. Raises `NoSuchThing` for a name that is not one of them."""
        with self._lock:
            self._stubs = self._stubs.without(message_name(of))

    def _add(self, method: str, action: Action, nth: int | None) -> None:
        with self._lock:
            self._stubs = self._stubs.add(Rule(method, action, nth))

    def on_expression(self, text: str, result: Any) -> None:
        """Set the result of `Runtime.evaluate` for exactly this text; a `Failure` is thrown.

        Surrounding whitespace is ignored, and so is the `//# sourceURL=...` that puppeteer appends. The text of a
        function applies to every call of it by `Runtime.callFunctionOn`.
        """
        with self._lock:
            self._state = replace(self._state, expressions={**self._state.expressions, strip_source_url(text): result})

    # -- events of the user, the page and the system -------------------------------------------------------------

    def open_page(self, url: str = BLANK_URL) -> str:
        """Open a tab as the user would; return its target id."""
        with self._lock:
            step = Step(self._state, self._clock())
            target = open_page(step, url)
            self._keep(handle.perform_all(step))
            return target.id

    def close_page(self, page: str) -> None:
        """Close a tab as the user would, without `beforeunload`. Raises `NoSuchThing`."""
        with self._lock:
            self._target(page)
            step = Step(self._state, self._clock())
            close_page(step, page)
            self._keep(handle.perform_all(step))

    def run(self, frame: str, source: str) -> None:
        """Run a script of the page itself in a frame: `run(page, "alert(1)")`. Raises `NoSuchThing`, `Unsupported`."""
        with self._lock:
            node = self._state.frames.get(frame)
            if node is None or not node.contexts:
                raise NoSuchThing(f"no frame {frame}; frames: {list(self._state.frames)}")
            step = Step(self._state, self._clock())
            step.enqueue(ScriptRun(node.id, node.contexts[0].unique_id, parse(source)))
            self._keep(handle.perform_all(step))

    def remove_frame(self, frame: str) -> None:
        """Remove an iframe from its document, as a script would."""
        self._change_frame(frame, lambda step: remove_frame(step, frame))

    def navigate_frame(self, frame: str, url: str) -> None:
        """Navigate an iframe as a script would: this is how a frame moves between processes."""
        self._change_frame(frame, lambda step: navigate_child(step, frame, url, base=step.state.frames[frame].url))

    def _change_frame(self, frame: str, change: Callable[[Step], None]) -> None:
        with self._lock:
            node = self._state.frames.get(frame)
            if node is None or node.parent is None:
                raise NoSuchThing(f"no iframe {frame}; frames: {list(self._state.frames)}")
            step = Step(self._state, self._clock())
            change(step)
            self._keep(handle.perform_all(step))

    def touch(self, page: str) -> None:
        """Give the page a user gesture, as a click does: from now on its `beforeunload` opens a dialog."""
        with self._lock:
            self._target(page)
            frame = replace(self._state.frames[page], user_activated=True, was_activated=True)
            self._state = replace(self._state, frames={**self._state.frames, page: frame})

    def dismiss_dialogs(self) -> None:
        """Dismiss every open dialog, and those that open as a consequence, without any client's call."""
        with self._lock:
            while self._state.dialogs and not self._state.dead:
                step = Step(self._state, self._clock())
                dismiss(step, self._state.dialogs[-1])
                self._keep(handle.perform_all(step))

    def crash(self, target: str | None = None, *, status: str = "killed") -> None:
        """Crash the renderer of a target; without a target, the whole browser."""
        with self._lock:
            step = Step(self._state, self._clock())
            if target is None:
                step.crash()
            else:
                crash_target(step, self._target(target), status)
            self._keep(handle.perform_all(step))

    # -- messages of the test ------------------------------------------------------------------------------------

    def emit(self, event: Event, *, session: str | None = None) -> None:
        """Send an event to one session, or to every session that has enabled its domain.

        Raises `NonConforming` if the schema forbids it, and `NotEnabled` if no session would receive it.
        """
        domain = event.METHOD.partition(".")[0]
        params: dict[str, Any] = msgspec.to_builtins(event)
        with self._lock:
            sessions = list(self._state.sessions.values()) if session is None else [self._session(session)]
            listening = [item for item in sessions if _hears(item, event.METHOD, domain)]
            if not listening:
                raise NotEnabled(event.METHOD, domain, session or "(any)")
            step = Step(self._state, self._clock())
            step.emit(listening, event.METHOD, params)
            self._keep((step.state, tuple(step.out)))

    def send_raw(self, data: str | bytes, *, connection: int | None = None) -> None:
        """Send a frame unchecked, to one connection or to all: text, or binary for bytes."""
        for number in self._numbers(connection):
            self.deliver(WireFrame(number, data))

    def close(self, code: int | None = 1000, *, connection: int | None = None) -> None:
        """Close one connection, or all, with a close frame of `code`; without one if it is None, as in a crash."""
        for number in self._numbers(connection):
            self.deliver(Hangup(number, code))

    def end(self, how: ConnectionEnd, *, connection: int | None = None, code: int = 1000) -> None:
        """End one connection, or all, as a broken link does; `code` is for "goodbye"."""
        for number in self._numbers(connection):
            self.deliver(EndConnection(number, how, code))

    def read_slowly(self, bytes_per_s: float, *, connection: int | None = None) -> None:
        """Throttle reading from one connection, or from all, to this many bytes per second; senders have to wait."""
        for number in self._numbers(connection):
            self.deliver(ReadSlowly(number, bytes_per_s))

    def _numbers(self, connection: int | None) -> list[int]:
        if connection is not None:
            return [connection]
        with self._lock:
            return list(dict.fromkeys(session.connection for session in self._state.sessions.values()))


def as_browser(site: Site | Mapping[str, Page] | MockBrowser | None, *, samples: bool) -> MockBrowser:
    """Return the browser itself, or one for the site; with `samples` it answers with them."""
    browser = site if isinstance(site, MockBrowser) else MockBrowser(site)
    browser.samples = browser.samples or samples
    return browser


def _makes_replies(reply: object) -> TypeGuard[Reply]:
    return callable(reply)


def _hears(session: CDPSession, method: str, domain: str) -> bool:
    has_switch = f"{domain}.enable" in load_schema().commands
    return not has_switch or method in ALWAYS_ENABLED or domain in session.enabled


def command_name(command: type[Command[Any]] | str) -> str:
    """Return the method of a command. Raises `NoSuchThing` for the name of none, also for that of an event."""
    name = command if isinstance(command, str) else command.METHOD
    if name in load_schema().commands:
        return name
    if name in load_schema().events:
        raise NoSuchThing(f"{name} is an event: a test sends it with `emit` and spoils it with `fault`")
    raise NoSuchThing(f"the schema has no command {name}{did_you_mean(name, load_schema().commands)}")


def message_name(message: type[Command[Any]] | type[Event] | str) -> str:
    """Return the method of a command or an event. Raises `NoSuchThing` for a name that is neither."""
    name = message if isinstance(message, str) else message.METHOD
    schema = load_schema()
    if name in schema.commands or name in schema.events:
        return name
    raise NoSuchThing(
        f"the schema has no command or event {name}{did_you_mean(name, (*schema.commands, *schema.events))}"
    )
