"""`Security.enable`, and what it tells of the documents of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import is_trustworthy, scheme_of

_PLAIN: Final = "scheme-is-not-cryptographic"


def emit_security_state(step: Step, frame: FrameNode) -> None:
    """Tell the sessions of a page what its new document is, unless it is the document of an iframe."""
    listening = step.enabled(frame.target, "Security") if frame.parent is None else []
    if listening and scheme_of(frame.url) == "https":
        step.note_refusal(Text.MOCK_NO_CERTIFICATES.value.message, None)
    else:
        _emit(step, frame, listening)


def _emit(step: Step, frame: FrameNode, sessions: list[CDPSession]) -> None:
    neutral = frame.unreachable or is_trustworthy(frame.url) or scheme_of(frame.url) == "about"
    issues = [] if neutral or not urlsplit(frame.url).hostname else ["insecure-origin"]
    issues += [_PLAIN, "is-error-page"] if frame.unreachable else [_PLAIN]
    state = {"securityState": "neutral" if neutral else "insecure", "securityStateIssueIds": issues}
    step.emit(sessions, "Security.visibleSecurityStateChanged", {"visibleSecurityState": state})


def _enable(step: Step, session: CDPSession, call: CommandCall) -> None:
    frame = step.state.frames.get(session.target or "")
    if frame is not None and scheme_of(frame.url) == "https":
        step.refuse(call, Text.MOCK_NO_CERTIFICATES)
        return
    if frame is not None and "Security" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Security"})
        step.put_session(session)
        _emit(step, frame, [session])
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {"Security.enable": _enable}
