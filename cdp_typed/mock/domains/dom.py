"""The DOM domain for iframe elements, the only elements that the mock can describe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.schema.not_modelled import not_modelled
from cdp_typed.mock.site import resolve
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step, base_url_of


def _frame_owner(step: Step, session: CDPSession, call: CommandCall) -> None:
    frame = step.state.frames.get(call.params["frameId"])
    if frame is None or (frame not in step.subtree(session.target or "") and frame.id != session.target):
        step.refuse(call, Text.FRAME_NOT_FOUND)
        return
    parent = step.state.frames.get(frame.parent or "")
    if parent is None or parent.target != session.target:
        step.refuse(call, Text.FRAME_OF_OTHER_TARGET)
        return
    step.reply(call, {"backendNodeId": _backend_node_id(step, parent, frame)})


def _backend_node_id(step: Step, parent: FrameNode, frame: FrameNode) -> int:
    key = _key(frame)
    if key not in parent.backend_node_ids:
        parent = replace(parent, backend_node_ids={**parent.backend_node_ids, key: step.number()})
        step.put_frame(parent)
    return parent.backend_node_ids[key]


def _key(frame: FrameNode) -> str:
    return f"iframe {frame.id}"


def _describe(step: Step, session: CDPSession, call: CommandCall) -> None:
    number: int | None = call.params.get("backendNodeId")
    for frame in step.state.frames.values():
        parent = step.state.frames.get(frame.parent or "")
        if parent is None or parent.target != session.target or parent.backend_node_ids.get(_key(frame), 0) != number:
            continue
        described = _described(parent, frame)
        # A document of the same process would be described with its element.
        if described is not None and frame.target != parent.target:
            step.reply(call, {"node": {"nodeId": 0, "backendNodeId": number, **described}})
            return
    step.refuse(call, not_modelled(call.method, with_others=True))


def _described(parent: FrameNode, frame: FrameNode) -> dict[str, Any] | None:
    """Return the iframe's element; None if it is not one of those that the site describes."""
    for item in parent.document.frames:
        if item.url and (
            item.name == frame.name if frame.name else resolve(base_url_of(parent), item.url) == frame.url
        ):
            named = ["id", item.name, "name", item.name] if item.name else []
            return {**_IFRAME, "attributes": [*named, "src", item.url], "frameId": frame.id}
    return None


_IFRAME: Final = {"nodeType": 1, "nodeName": "IFRAME", "localName": "iframe", "nodeValue": "", "childNodeCount": 0}


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "DOM.describeNode": _describe,
    "DOM.getFrameOwner": _frame_owner,
}
