"""Links and file inputs of a page: clicks on them, and the files that a client sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.document_html import ROW_HEIGHT
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.js.values import ClickableElement, HostObject, IframeElement
from cdp_typed.mock.network.network_events import add_log_entry
from cdp_typed.mock.network.page_cookies import logins_of
from cdp_typed.mock.network.redirects import final_response
from cdp_typed.mock.network.security_policy import LogEntry
from cdp_typed.mock.page.downloads import begin_download
from cdp_typed.mock.page.same_document import go_to_fragment, is_fragment_navigation
from cdp_typed.mock.runtime.remote_objects import find_object
from cdp_typed.mock.site import FileInput, Link, resolve
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode, ScriptNavigation, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import HttpRequest
from cdp_typed.mock.state.step import Step, base_url_of, initiator_of

_NO_GESTURE: Final = LogEntry("javascript", "File chooser dialog can only be shown with a user activation.")


def clickable_elements(frame: FrameNode) -> dict[str, ClickableElement]:
    """Return the links and file inputs of the frame, by name."""
    elements: dict[str, ClickableElement] = {}
    for element in frame.document.elements:
        if isinstance(element, Link):
            elements[element.name] = ClickableElement(element.name, "link")
        else:
            elements[element.name] = ClickableElement(element.name, "file", frame.files.get(element.name, ()))
    return elements


def click(step: Step, frame: FrameNode, element: Link | FileInput, *, gesture: bool) -> None:
    """Click an element: a link navigates or downloads, a file input opens a file chooser."""
    if isinstance(element, FileInput):
        _choose(step, frame, element, gesture=gesture)
        return
    url = resolve(base_url_of(frame), element.url)
    if element.download:
        request, response = final_response(step.state.site, HttpRequest("GET", url), logins_of(step, frame.target))
        begin_download(step, frame.id, request.url, response, element.download)
        return
    if is_fragment_navigation(frame, url):
        go_to_fragment(step, frame, url, reason="anchorClick")
        return
    target = {"frameId": frame.id, "url": url, "reason": "anchorClick"}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", {**target, "delay": 0})
    step.emit_if_enabled(frame.target, "Page.frameRequestedNavigation", {**target, "disposition": "currentTab"})
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(ScriptNavigation(frame.id, url, initiator_of(frame)))


def _choose(step: Step, frame: FrameNode, element: FileInput, *, gesture: bool) -> None:
    if not gesture:
        add_log_entry(step, frame.target, _NO_GESTURE, level="warning", column=0)
        return
    # Without an intercepting session a headless browser emits nothing.
    catching = [session for session in step.enabled(frame.target, "Page") if session.file_choosers]
    if catching:
        params = {
            "frameId": frame.id,
            "mode": "selectMultiple" if element.multiple else "selectSingle",
            "backendNodeId": _node(step, frame, element.name),
        }
        step.emit(catching, "Page.fileChooserOpened", params)


def _node(step: Step, frame: FrameNode, name: str) -> int:
    if name not in frame.backend_node_ids:
        frame = replace(frame, backend_node_ids={**frame.backend_node_ids, name: step.number()})
        step.put_frame(frame)
    return frame.backend_node_ids[name]


def _intercept(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, file_choosers=call.params["enabled"]))
    step.reply(call)


def _set_files(step: Step, session: CDPSession, call: CommandCall) -> None:
    file_input = _input(step, session, call.params)
    if isinstance(file_input, Text):
        step.refuse(call, file_input)
        return
    frame, element = file_input
    names = tuple(str(path).rpartition("/")[2] for path in call.params["files"])
    names = names if element.multiple else names[:1]
    step.put_frame(replace(frame, files={**frame.files, element.name: names}))
    step.reply(call)
    if element.on_change and frame.contexts:
        program = parse(element.on_change)
        step.enqueue(ScriptRun(frame.id, frame.contexts[0].unique_id, program, url=frame.url))


def _input(step: Step, session: CDPSession, params: dict[str, Any]) -> tuple[FrameNode, FileInput] | Text:
    if "objectId" in params:
        remote = find_object(step, session, params["objectId"])
        if isinstance(remote, Text):
            return remote
        if isinstance(remote.value, ClickableElement):
            return _file_input(step.state.frames[remote.frame], remote.value.name)
        is_node = isinstance(remote.value, IframeElement) or (
            isinstance(remote.value, HostObject) and remote.value.node
        )
        return Text.NO_FILE_INPUT if is_node else Text.NO_NODE_OF_OBJECT
    if "backendNodeId" in params:
        for frame in step.state.frames.values():
            for name, node in frame.backend_node_ids.items():
                if node == params["backendNodeId"] and frame.target == session.target:
                    return _file_input(frame, name)
        return Text.NO_BACKEND_NODE
    # The mock sends no `nodeId`, so that none is valid.
    return Text.NO_NODE if "nodeId" in params else Text.NO_NODE_NAMED


def _file_input(frame: FrameNode, name: str) -> tuple[FrameNode, FileInput] | Text:
    for element in frame.document.elements:
        if element.name == name and isinstance(element, FileInput):
            return frame, element
    return Text.NO_FILE_INPUT


def _mouse_error(params: dict[str, Any]) -> Text | None:
    if params["type"] == "mouseWheel" and not {"deltaX", "deltaY"} <= params.keys():
        return Text.WHEEL_WITHOUT_DELTA
    if params["type"] == "mouseReleased" and params.get("button") in ("back", "forward"):
        return Text.NO_HISTORY_BY_MOUSE
    return None


def _listens(step: Step, page: str) -> bool:
    return any(frame.dom.listens for frame in step.state.frames.values() if frame.page == page)


def _mouse(step: Step, session: CDPSession, call: CommandCall) -> None:
    frame = step.state.frames.get(session.target or "")
    wrong = _mouse_error(call.params)
    if wrong is None and frame is not None and _listens(step, frame.page):
        wrong = Text.MOCK_NO_MOUSE_EVENTS
    if wrong is not None:
        step.refuse(call, wrong)
        return
    step.reply(call)
    if frame is None or step.process(step.process_key(frame)).blocked:
        return
    # Only a press is a user gesture, without which Chrome opens no `beforeunload` dialog.
    if call.params["type"] == "mousePressed":
        step.put_frame(replace(frame, user_activated=True, was_activated=True))
    if call.params["type"] == "mouseReleased" and call.params.get("button") == "left":
        row = int(call.params["y"] // ROW_HEIGHT)
        if 0 <= row < len(frame.document.elements):
            click(step, frame, frame.document.elements[row], gesture=True)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "DOM.setFileInputFiles": _set_files,
    "Input.dispatchMouseEvent": _mouse,
    "Page.setInterceptFileChooserDialog": _intercept,
}
