"""The elements of a document: `html`, `body`, those that a site declares, and those that scripts append."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.dom.emulated import emulated, roomy_size
from cdp_typed.mock.dom.known_documents import put_dom, require_elements
from cdp_typed.mock.js.effects import AskHost
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import ClickableElement, HostObject, IframeElement
from cdp_typed.mock.page.links_and_inputs import clickable_elements
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.step import Step

_HTML: Final = HostObject("HTMLHtmlElement", node="html")
_BODY: Final = HostObject("HTMLBodyElement", node="body")
_CREATED: Final = {"div": "HTMLDivElement", "p": "HTMLParagraphElement", "span": "HTMLSpanElement"}
"""The elements that scripts may create."""
_NO_PROPERTIES: Final = frozenset(
    ["checked", "disabled", "files", "href", "name", "options", "placeholder", "selected", "src", "type", "value"]
)
"""Properties of links and fields, which the other elements do not have."""
_IN_THE_HEAD: Final = frozenset(["base", "head", "link", "meta", "script", "style", "title"])
_RESOURCES: Final = frozenset(["audio", "img", "source", "video"])
_MARGIN: Final = 8
_NAME: Final = r"-?[A-Za-z_][\w-]*"
_PART: Final = (
    rf"#{_NAME}|\.{_NAME}|:(?:checked|disabled|focus|hover)(?![\w-])"
    rf"""|\[{_NAME}(?:[~|^$*]?=(?:"[^"\\\n]*"|'[^'\\\n]*'|{_NAME}))?\]"""
)
_SELECTOR: Final = re.compile(rf"(?P<tag>[a-z][a-z0-9]*)?(?P<rest>(?:{_PART})*)", re.ASCII)
_COLORS: Final = {
    "": "rgba(0, 0, 0, 0)",
    "black": "rgb(0, 0, 0)",
    "blue": "rgb(0, 0, 255)",
    "green": "rgb(0, 128, 0)",
    "red": "rgb(255, 0, 0)",
    "white": "rgb(255, 255, 255)",
    "yellow": "rgb(255, 255, 0)",
}


def answer_document(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Answer a question about the elements of the document."""
    require_elements(frame)
    match question.how, question.name, question.arguments:
        case "read", "documentElement", ():
            return _HTML
        case "read", "body", ():
            return _BODY
        case "read", "activeElement", () if not frame.document.elements and not frame.document.frames:
            return _BODY
        case "call", "getElementById", _:
            return None
        case "call", "querySelector", (str() as selector,):
            return _select(step, frame, selector)
        case "call", "createElement", (str() as tag,) if tag in _CREATED:
            return HostObject(_CREATED[tag], key=str(step.number()), node=tag)
        case _:
            raise Unsupported(f"{question.name} of the document")


def _select(step: Step, frame: FrameNode, selector: str) -> Any:
    """Return the first element for a selector. Raises `Unsupported` for those that the mock does not understand."""
    parsed, page = _SELECTOR.fullmatch(selector), frame.document
    tag, rest = ("", "") if parsed is None else (parsed["tag"] or "", parsed["rest"])
    iframes = {child.name: IframeElement(child.id, child.name) for child in step.children(frame.id)}
    named: dict[str, IframeElement | ClickableElement] = {**clickable_elements(frame), **iframes}
    wanted = [part for part in re.findall(_PART, rest) if part[0] in "#."]
    if wanted and not all(part[1:] in named and part[0] == "#" for part in wanted):
        return None  # no element has a class
    if wanted and rest == wanted[0]:
        element = named[rest[1:]]
        return element if tag in ("", _tag(element)) else None
    is_declared = (tag == "iframe" and (iframes or page.frames)) or (tag in ("a", "input") and page.elements)
    found = next((element for element in (_HTML, _BODY, *frame.dom.children) if element.node == tag), None)
    in_head = tag in _IN_THE_HEAD or (tag in _RESOURCES and page.resources)
    if not tag or wanted or is_declared or in_head or (found and rest):
        raise Unsupported(f"the selector {selector} in this document")
    return found


def _tag(element: IframeElement | ClickableElement) -> str:
    if isinstance(element, IframeElement):
        return "iframe"
    return "a" if element.kind == "link" else "input"


def answer_element(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Answer a question about an element."""
    require_elements(frame)
    element, name = question.holder, question.name
    match question.how, name, question.arguments:
        case "read", _, () if name in _NO_PROPERTIES:
            return UNSET
        case "read", "tagName" | "nodeName", ():
            return element.node.upper()
        case "read", "id" | "className", ():
            return ""
        case "read", "style", ():
            return HostObject("CSSStyleDeclaration", key=element.key or element.node)
        case "read", "textContent", () if element.node in _CREATED:
            return ""
        case "read", "textContent", () if element == _BODY:
            require_elements(frame, bare=True)
            return ""
        case "call", "appendChild", (HostObject(node=tag) as child,) if element == _BODY and tag in _CREATED:
            kept = tuple(other for other in frame.dom.children if other != child)
            put_dom(step, frame, replace(frame.dom, children=(*kept, child)))
            return child
        case "read", _, () if not frame.dom.children:
            return _layout(step, frame, f"{element.node}.{name}")
        case _:
            raise Unsupported(f"{name} of an element")


def _layout(step: Step, frame: FrameNode, path: str) -> Any:
    """Return a property of a document in which nothing needs place."""
    require_elements(frame, bare=True)
    width, height = roomy_size(step, frame)
    # Only in quirks mode an empty body fills the window.
    is_blank = frame.url.partition("#")[0] == "about:blank"
    known = {
        "html.clientHeight": height,
        "html.clientWidth": width,
        "body.offsetHeight": height - 2 * _MARGIN if is_blank else 0,
        "body.offsetWidth": width - 2 * _MARGIN,
        "body.innerHTML": "",
        "body.innerText": "",
    }
    if path not in known:
        raise Unsupported(f"{path} of this document")
    return known[path]


def answer_style(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Answer a question about a style of an element, or about the computed one of the body."""
    holder, colors = question.holder, frame.dom.colors
    match question.how, question.name, question.arguments:
        case ("read", "backgroundColor", ()) | ("call", "getPropertyValue", ("background-color",)) if holder.about:
            require_elements(frame, bare=True)
            emulated(step, frame)
            return _COLORS[colors.get("body", "")]
        case ("read", "backgroundColor", ()) | ("call", "getPropertyValue", ("background-color",)):
            return colors.get(holder.key, "")
        case "assign", "backgroundColor", (str() as color,) if color in _COLORS and not holder.about:
            put_dom(step, frame, replace(frame.dom, colors={**colors, holder.key: color}))
            return UNSET
        case _:
            raise Unsupported(f"{question.name} of a style")
