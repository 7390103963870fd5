"""The chapters of the demo; each checks what it claims."""

from __future__ import annotations

import time

from cdp_typed.protocol import page
from supervisor import BlockedByDialog, CDPSupervisor, FrameInfo, PendingDialog, SupervisorError, SupervisorSnapshot

from .narrator import Narrator
from .site import OOPIF_TITLE, TOP_TITLE

WAIT_S = 20.0


class DemoFailed(SupervisorError):
    """The demo saw something unexpected."""


class Story:
    """The demo's plot, told over a running supervisor."""

    def __init__(self, supervisor: CDPSupervisor, narrator: Narrator, url: str) -> None:
        self._supervisor = supervisor
        self._narrator = narrator
        self._url = url

    def tell(self) -> SupervisorSnapshot:
        """All chapters; returns the last snapshot. Raises `DemoFailed`, or whatever a call raised."""
        payment = self._open_page()
        self._answer_an_alert()
        self._answer_a_prompt()
        self._dismiss_a_confirm()
        self._read_inside_the_oopif(payment)
        self._answer_inside_the_oopif(payment)
        self._hear_the_console()
        self._meet_an_open_dialog()
        return self._supervisor.snapshot()

    def _open_page(self) -> FrameInfo:
        """Open the page and wait for both of its iframes; returns the one from the other site."""
        self._narrator.chapter("A page with two iframes, one of them from another site")
        self._supervisor.send(page.Navigate(url=self._url), timeout_s=WAIT_S)
        seen = self._supervisor.wait_for(_is_loaded, timeout_s=WAIT_S)
        title = self._supervisor.evaluate("document.title").value
        _check(title == TOP_TITLE, f"the page's title is {title!r}")
        tree = seen.frame_tree
        assert tree.top is not None
        self._narrator.frames(tree.top, tree.children)
        return next(frame for frame in tree.children if frame.is_oopif)

    def _answer_an_alert(self) -> None:
        self._narrator.chapter("An alert")
        dialog = self._blocked_by("alert('Only two left!')")
        self._supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
        self._narrator.fact("accepted; the page runs again")

    def _answer_a_prompt(self) -> None:
        self._narrator.chapter("A prompt")
        dialog = self._blocked_by("window.answer = prompt('Your name?', 'nobody')")
        self._supervisor.respond_to_dialog("accept", "Ada", dialog.id)
        self._narrator.fact("answered with", "Ada")
        answer = self._supervisor.evaluate("window.answer").value
        _check(answer == "Ada", f"the page got {answer!r} from its prompt")
        self._narrator.fact("the page got back", str(answer))

    def _dismiss_a_confirm(self) -> None:
        self._narrator.chapter("A confirm")
        dialog = self._blocked_by("window.answer = confirm('Empty the basket?')")
        self._supervisor.respond_to_dialog("dismiss", dialog_id=dialog.id)
        answer = self._supervisor.evaluate("window.answer").value
        _check(answer is False, f"the page got {answer!r} from its confirm")
        self._narrator.fact("dismissed; the page got back", "false")

    def _read_inside_the_oopif(self, payment: FrameInfo) -> None:
        self._narrator.chapter("Inside the iframe from the other site")
        title = str(self._supervisor.evaluate("document.title", payment.frame_id).value)
        _check(title == OOPIF_TITLE, f"the iframe's title is {title!r}")
        self._narrator.fact("its document.title is", title)

    def _answer_inside_the_oopif(self, payment: FrameInfo) -> None:
        dialog = self._blocked_by("alert('Card number missing')", payment.frame_id)
        _check(dialog.frame_id == payment.frame_id, "the dialog was attributed to another frame")
        self._narrator.fact(
            "meanwhile the top page still answers: 6 * 7 =", str(self._supervisor.evaluate("6*7").value)
        )
        self._supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
        self._narrator.fact("accepted, on the page's own session")

    def _hear_the_console(self) -> None:
        self._narrator.chapter("The console")
        self._supervisor.evaluate("console.error('basket service answered 503')")
        seen = self._supervisor.wait_for(lambda now: bool(_errors(now)), timeout_s=WAIT_S)
        self._narrator.fact("error seen:", _errors(seen)[-1])

    def _meet_an_open_dialog(self) -> None:
        self._narrator.chapter("A call while a dialog is open")
        dialog = self._blocked_by("alert('Stay a while')")
        started = time.perf_counter()
        try:
            self._supervisor.evaluate("document.title")
        except BlockedByDialog as blocked:
            took_ms = (time.perf_counter() - started) * 1000
            _check(blocked.dialog.id == dialog.id, "the error named another dialog")
            self._narrator.fact(f"it came back after {took_ms:.1f} ms and says", str(blocked))
        else:
            raise DemoFailed("a call into a blocked page returned a value")
        self._supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
        _check(not self._supervisor.snapshot().pending_dialogs, "a dialog was left open")
        self._narrator.fact("accepted; nothing is open any more")

    def _blocked_by(self, expression: str, frame_id: str | None = None) -> PendingDialog:
        """Run an expression that opens a dialog; returns the dialog that the call ended with."""
        try:
            value = self._supervisor.evaluate(expression, frame_id).value
        except BlockedByDialog as blocked:
            dialog = blocked.dialog
            self._narrator.fact(f"{dialog.type} {dialog.id} opened and says", dialog.message)
            return dialog
        raise DemoFailed(f"{expression} opened no dialog; it returned {value!r}")


def _is_loaded(now: SupervisorSnapshot) -> bool:
    top, frames = now.frame_tree.top, now.frame_tree.children
    loaded = top is not None and not any(frame.is_loading for frame in (top, *frames))
    return loaded and len(frames) == 2 and any(frame.is_oopif for frame in frames)


def _errors(now: SupervisorSnapshot) -> list[str]:
    return [line.text for line in now.console if line.level == "error"]


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise DemoFailed(otherwise)
