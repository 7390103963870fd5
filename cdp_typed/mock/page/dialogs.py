"""JavaScript dialogs: their events, the sessions that may handle them, and the renderers that they block."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import Dialog, FrameNode, LoadStage, Navigation, ScriptRun
from cdp_typed.mock.state.step import Step

MESSAGE_LIMIT = 10_240
"""Chrome truncates longer messages."""


def open_dialog(
    step: Step,
    frame: FrameNode,
    kind: str,
    *,
    message: str = "",
    default: str = "",
    script_run: ScriptRun | None = None,
    navigation: Navigation | None = None,
    closes: bool = False,
) -> None:
    """Block the frame's renderer and emit the dialog on every session of the *page* with Page enabled.

    A dialog that was open in the same tab is cancelled, which leaves the new one open but unanswerable: Chrome clears
    the pending flag of every session when the old one closes.
    """
    listeners = step.enabled(frame.page, "Page")
    earlier = [dialog for dialog in step.state.dialogs if dialog.page == frame.page]
    dialog = Dialog(
        number=step.number(),
        frame=frame.id,
        page=frame.page,
        process=step.process_key(frame),
        type=kind,
        message=_shown(message),
        default=_shown(default),
        url=frame.url,
        answerable=frozenset(session.key for session in listeners),
        script_run=script_run,
        navigation=navigation,
        closes=closes,
    )
    step.put_process(dialog.process, replace(step.process(dialog.process), blocked="dialog"))
    step.state = replace(step.state, dialogs=(*step.state.dialogs, dialog))
    step.emit(listeners, "Page.javascriptDialogOpening", _opening(dialog))
    _cancel_earlier(step, earlier)


def _cancel_earlier(step: Step, earlier: list[Dialog]) -> None:
    if any(kills_browser(old) for old in earlier):
        step.crash()
        return
    for old in earlier:
        dismiss(step, old)


def _opening(dialog: Dialog) -> dict[str, Any]:
    return {
        "url": dialog.url,
        "frameId": dialog.frame,
        "message": dialog.message,
        "type": dialog.type,
        "hasBrowserHandler": True,
        "defaultPrompt": dialog.default,
    }


def announce_closed(step: Step, dialog: Dialog, *, accepted: bool, text: str = "") -> None:
    """Emit the end of a dialog; the other open dialogs of the tab become unanswerable."""
    step.drop_dialog(dialog)
    for other in step.state.dialogs:
        if other.page == dialog.page:
            step.put_dialog(replace(other, answerable=frozenset()))
    params = {"frameId": dialog.frame, "result": accepted, "userInput": text}
    step.emit_if_enabled(dialog.page, "Page.javascriptDialogClosed", params)


def beforeunload_dialog(step: Step, page: str) -> Dialog | None:
    """Return the open `beforeunload` dialog of a page."""
    dialogs = (dialog for dialog in step.state.dialogs if dialog.frame == page)
    return next((dialog for dialog in dialogs if dialog.type == "beforeunload"), None)


def abort_navigation_of(step: Step, dialog: Dialog) -> bool:
    """Abort the navigation for which a `beforeunload` dialog asks, and return whether there is one.

    The dialog stays open: the page is asked once, whatever else is begun meanwhile.
    """
    navigation = dialog.navigation
    if navigation is None:
        return False
    if navigation.reply is not None:
        result = {"frameId": navigation.frame, "errorText": "net::ERR_ABORTED", "isDownload": False}
        step.reply(navigation.reply, result, method="Page.navigate")
    step.put_dialog(replace(dialog, navigation=None))
    return True


def resume_renderer(step: Step, dialog: Dialog, *, accepted: bool, text: str = "") -> None:
    """Unblock the renderer: first the interrupted script, navigation or closing, then the queued work."""
    if step.process(dialog.process).blocked == "crashed":
        return
    process = step.process(dialog.process)
    step.put_process(dialog.process, replace(process, blocked="", queue=()))
    if dialog.script_run is not None:
        answer = _script_value(dialog.type, accepted=accepted, text=text)
        step.enqueue(replace(dialog.script_run, answers=(*dialog.script_run.answers, answer)))
    if dialog.navigation is not None and accepted and not dialog.closes:
        step.enqueue(dialog.navigation)
    if dialog.closes and accepted:
        abort_navigation_of(step, dialog)
        step.enqueue(LoadStage(dialog.frame, "", "closing"))
    for work in process.queue:
        step.enqueue(work)


def dismiss(step: Step, dialog: Dialog) -> None:
    """Dismiss one dialog."""
    announce_closed(step, dialog, accepted=False)
    resume_renderer(step, dialog, accepted=False)


def cancel_all(step: Step, page: str) -> None:
    """Close every dialog of the page with false, as a navigation does."""
    for dialog in [dialog for dialog in step.state.dialogs if dialog.page == page]:
        dismiss(step, dialog)


def kills_browser(dialog: Dialog) -> bool:
    """Return whether handling this dialog now ends Chromium 156 with a segmentation fault."""
    return dialog.frame_detached and bool(dialog.answerable)


def mark_frame_detached(step: Step, frame: str) -> None:
    """Mark the dialogs of a removed frame; there is no event for their end."""
    for dialog in step.state.dialogs:
        if dialog.frame == frame:
            if dialog.answerable:
                step.put_dialog(replace(dialog, frame_detached=True, script_run=None, navigation=None))
            else:
                step.drop_dialog(dialog)


def _script_value(kind: str, *, accepted: bool, text: str) -> Any:
    match kind:
        case "confirm":
            return accepted
        case "prompt":
            return text if accepted else None
        case _:
            return UNSET


def _shown(message: str) -> str:
    plain = message.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain[:MESSAGE_LIMIT].replace("\r\n", "\n")
