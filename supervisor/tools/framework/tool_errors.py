"""Errors of a tool call that are not those of the browser.

ToolError
|-- UnknownTool        no tool has that name
|-- ToolUnavailable    the tool exists, and is switched off or has no browser
|-- InvalidArgument    an argument is missing, unknown, or of the wrong type; the message names it
|-- PolicyRefused      the policy does not allow it
|   `-- OutOfReach     a raw command reaches further than the caller's own pages
`-- HandlerAborted     the handler ended itself, by cancellation or exit

PageTextError          about the page; its `page_text` is a result's `page_error`, and no part of its message
OpenedDialog           a `BlockedByDialog`: what was sent to the page was delivered, and opened the dialog

An error says by `maybe_executed` whether its action had sent anything: `sending` is around each event that is sent.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from cdp_typed.printable import visible
from cdp_typed.spelling import did_you_mean
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, InvalidConfig, SupervisorError
from supervisor.core.vocabulary.values import PendingDialog


class ToolError(SupervisorError):
    """The base class of the tools' errors."""


class UnknownTool(ToolError):
    """No tool has that name."""

    def __init__(self, name: str, known: Collection[str]) -> None:
        super().__init__(f"there is no tool '{visible(name)}'{did_you_mean(name, known, 1)}")
        self.name = name


class ToolUnavailable(ToolError):
    """The tool cannot be used here."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name} is not available: {why}")
        self.name = name
        self.why = why


class InvalidArgument(ToolError):
    """An argument is not what the tool takes. The message names it and never quotes its value."""

    def __init__(self, argument: str, problem: str) -> None:
        self.argument: str = visible(argument)  # an unknown one has the name that the caller gave it
        super().__init__(f"argument '{self.argument}': {problem}")
        self.problem = problem


@contextmanager
def name_in(argument: str) -> Generator[None]:
    """Raise `InvalidArgument` for a name of a file that is none. Other settings stay `InvalidConfig`."""
    try:
        yield
    except InvalidConfig as error:
        if error.key != "name":
            raise
        raise InvalidArgument(argument, f"expected {error.allowed}") from None


class PolicyRefused(ToolError):
    """The policy does not allow it; nothing was done."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} is refused by the policy: {why}")
        self.what = what
        self.why = why


class OutOfReach(PolicyRefused):
    """A raw command reaches further than the caller's own pages, or is not known to stay there; nothing was done."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(what, why)
        self.args: tuple[object, ...] = (f"{what} is refused: {why}",)


class PageTextError(CallError):
    """An error about the page. Text of the page is in `page_text` alone."""

    page_text: str = ""


class OpenedDialog(BlockedByDialog):
    """The page received the input, which opened the dialog: it is done, and must not be repeated.

    `left` says what was still to be done, and was not; empty when nothing was.
    """

    def __init__(self, dialog: PendingDialog, left: str = "") -> None:
        super().__init__(dialog, maybe_executed=True)
        self.left = left


_SENT: ContextVar[bool] = ContextVar("sent", default=False)
"""Whether the action that runs has sent the page something that may have had an effect."""


def begin_action() -> None:
    """Nothing was sent yet."""
    _SENT.set(False)


@contextmanager
def sending() -> Generator[None]:
    """Put this around a command that has an effect of its own: a press, a key, a text."""
    try:
        yield
    except CallError as error:
        _SENT.set(was_sent() or error.maybe_executed)
        raise
    _SENT.set(True)


def was_sent() -> bool:
    """Whether anything was sent since the action began."""
    return _SENT.get()


@contextmanager
def delivering(*, began: bool = False, left: str = "") -> Generator[None]:
    """Put this around commands that change the page. A dialog that they open and that interrupts them is raised as
    `OpenedDialog`; one that was open before stays `BlockedByDialog`. With `began`, a part was delivered before.
    """
    _SENT.set(was_sent() or began)
    try:
        yield
    except OpenedDialog:
        raise
    except BlockedByDialog as blocked:
        if not (blocked.maybe_executed or began):
            raise
        raise OpenedDialog(blocked.dialog, left) from None


class HandlerAborted(ToolError):
    """The handler of the tool ended itself with an exception that is meant to end a task or the process."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{name}: its handler raised {what}")
        self.name = name
        self.what = what
