"""Links and file inputs of a page: clicks on them, and the files that a client sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.js.parser import parse
from cdp_typed.mock.js.values import ClickableElement
from cdp_typed.mock.network.network_events import complain
from cdp_typed.mock.network.redirects import answer_at_last
from cdp_typed.mock.network.security_policy import LogEntry
from cdp_typed.mock.page.downloads import begin_download
from cdp_typed.mock.runtime.remote_objects import find_object
from cdp_typed.mock.site import FileInput, Link, resolve
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode, ScriptNavigation, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import HttpRequest
from cdp_typed.mock.state.step import Step, base_of

__all__ = ["HANDLERS", "ROW_HEIGHT", "click", "controls_of"]

ROW_HEIGHT: Final = 20
"""The height of each element, in CSS pixels."""

_NO_GESTURE: Final = LogEntry("javascript", "File chooser dialog can only be shown with a user activation.")


def controls_of(frame: FrameNode) -> dict[str, ClickableElement]:
    """What a script of the frame finds by name."""
    found: dict[str, ClickableElement] = {}
    for element in frame.document.elements:
        if isinstance(element, Link):
            found[element.name] = ClickableElement(element.name, "link")
        else:
            found[element.name] = ClickableElement(element.name, "file", frame.files.get(element.name, ()))
    return found


def click(step: Step, frame: FrameNode, element: Link | FileInput, *, gesture: bool) -> None:
    """Somebody clicks: a link leads elsewhere or saves, a file input asks for files."""
    if isinstance(element, FileInput):
        _choose(step, frame, element, gesture=gesture)
        return
    url = resolve(base_of(frame), element.url)
    if element.download:
        request, response = answer_at_last(step.state.site, HttpRequest("GET", url), step.state.logins)
        begin_download(step, frame.id, request.url, response, element.download)
        return
    target = {"frameId": frame.id, "url": url, "reason": "anchorClick"}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", {**target, "delay": 0})
    step.emit_if_enabled(frame.target, "Page.frameRequestedNavigation", {**target, "disposition": "currentTab"})
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(ScriptNavigation(frame.id, url))


def _choose(step: Step, frame: FrameNode, element: FileInput, *, gesture: bool) -> None:
    if not gesture:
        complain(step, frame.target, _NO_GESTURE, level="warning", column=0)
        return
    # Without anybody who intercepts, the chooser of a headless browser opens where nobody sees it.
    catching = [session for session in step.enabled(frame.target, "Page") if session.file_choosers]
    if catching:
        params = {
            "frameId": frame.id,
            "mode": "selectMultiple" if element.multiple else "selectSingle",
            "backendNodeId": _node(step, frame, element.name),
        }
        step.emit(catching, "Page.fileChooserOpened", params)


def _node(step: Step, frame: FrameNode, name: str) -> int:
    if name not in frame.nodes:
        frame = replace(frame, nodes={**frame.nodes, name: step.number()})
        step.put_frame(frame)
    return frame.nodes[name]


def _intercept(step: Step, session: CDPSession, request: CommandCall) -> None:
    step.put_session(replace(session, file_choosers=request.params["enabled"]))
    step.reply(request)


def _set_files(step: Step, session: CDPSession, request: CommandCall) -> None:
    found = _input(step, session, request.params)
    if isinstance(found, Text):
        step.refuse(request, found)
        return
    frame, element = found
    names = tuple(str(path).rpartition("/")[2] for path in request.params["files"])
    names = names if element.multiple else names[:1]
    step.put_frame(replace(frame, files={**frame.files, element.name: names}))
    step.reply(request)
    if element.on_change and frame.contexts:
        program = parse(element.on_change)
        step.enqueue(ScriptRun(frame.id, frame.contexts[0].unique_id, program, url=frame.url))


def _input(step: Step, session: CDPSession, params: dict[str, Any]) -> tuple[FrameNode, FileInput] | Text:
    if "objectId" in params:
        held = find_object(step, session, params["objectId"])
        if isinstance(held, Text):
            return held
        frame = step.state.frames[held.frame]
        return _file_input(frame, held.value.name if isinstance(held.value, ClickableElement) else "")
    if "backendNodeId" in params:
        for frame in step.state.frames.values():
            for name, node in frame.nodes.items():
                if node == params["backendNodeId"] and frame.target == session.target:
                    return _file_input(frame, name)
        return Text.NO_BACKEND_NODE
    # The mock hands out no ids of nodes, so that nobody can name one.
    return Text.NO_NODE if "nodeId" in params else Text.NO_NODE_NAMED


def _file_input(frame: FrameNode, name: str) -> tuple[FrameNode, FileInput] | Text:
    for element in frame.document.elements:
        if element.name == name and isinstance(element, FileInput):
            return frame, element
    return Text.NO_FILE_INPUT


def _mouse(step: Step, session: CDPSession, request: CommandCall) -> None:
    frame = step.state.frames.get(session.target or "")
    step.reply(request)
    if frame is None or step.process(step.frame_process(frame)).blocked:
        return
    # Only a press counts as a gesture; Chrome then asks before the page is left.
    if request.params["type"] == "mousePressed":
        step.put_frame(replace(frame, touched=True))
    if request.params["type"] == "mouseReleased" and request.params.get("button") == "left":
        row = int(request.params["y"] // ROW_HEIGHT)
        if 0 <= row < len(frame.document.elements):
            click(step, frame, frame.document.elements[row], gesture=True)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "DOM.setFileInputFiles": _set_files,
    "Input.dispatchMouseEvent": _mouse,
    "Page.setInterceptFileChooserDialog": _intercept,
}
