"""Answers to what scripts ask of the window and of the other objects of the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.dom.elements import answer_document, answer_element, answer_style
from cdp_typed.mock.dom.emulated import SIZES, emulated, matches, roomy_size, size
from cdp_typed.mock.dom.known_documents import is_alone, is_secure, put_dom, require_elements
from cdp_typed.mock.dom.storage_areas import answer_storage, storage_area
from cdp_typed.mock.js.effects import AskHost, HostPromise, Threw
from cdp_typed.mock.js.global_names import TOUCH
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import Failure, FunctionValue, HostObject, NativeFunction
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import header
from cdp_typed.mock.state.step import Step, origin_url_of

_Answer = Callable[[Step, FrameNode, AskHost], Any]

_DENIED: Final = "Failed to execute 'readText' on 'Clipboard': Read permission denied."
_CHROME: Final = {
    **{name: NativeFunction("") for name in ("loadTimes", "csi")},
    "app": {
        "isInstalled": False,
        **{name: NativeFunction(name) for name in ("getDetails", "getIsInstalled", "installState", "runningState")},
        "InstallState": {"DISABLED": "disabled", "INSTALLED": "installed", "NOT_INSTALLED": "not_installed"},
        "RunningState": {"CANNOT_RUN": "cannot_run", "READY_TO_RUN": "ready_to_run", "RUNNING": "running"},
    },
}
_ALWAYS: Final[Mapping[tuple[str, str], Any]] = {
    ("read", "HTMLDocument.fonts"): HostObject("FontFaceSet"),
    ("read", "Navigator.connection"): HostObject("NetworkInformation"),
    ("read", "Navigator.geolocation"): HostObject("Geolocation"),
    ("read", "Navigator.language"): "en-US",
    ("read", "Navigator.platform"): "Linux x86_64",
    ("read", "NetworkInformation.effectiveType"): "4g",
    ("read", "Screen.orientation"): HostObject("ScreenOrientation"),
    ("read", "Window.chrome"): _CHROME,
    ("read", "Window.screen"): HostObject("Screen"),
    ("call", "Selection.toString"): "",
    ("call", "Window.toString"): "[object Window]",
}
"""The members that are the same on every page."""

_MOUSE: Final = """
    auxclick click contextmenu dblclick mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup
    pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerup wheel
"""
_OTHER_INPUT: Final = "keydown keypress keyup touchcancel touchend touchmove touchstart"
"""No command of the mock presses a key or touches a screen."""


def answer_host(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Answer a question of a script of the frame, with an `Unsupported` where the mock does not know the answer."""
    holder, path = question.holder, f"{question.holder.class_name}.{question.name}"
    by_class = _BY_CLASS.get(holder.class_name, answer_element if holder.node else _refuse)
    try:
        if frame.thread and question.name != "setTimeout":
            raise Unsupported(f"{question.name} of a worker")
        if (question.how, path) in _ALWAYS and not question.arguments:
            return _ALWAYS[question.how, path]
        return _BY_MEMBER.get((question.how, path), by_class)(step, frame, question)
    except Unsupported as unknown:
        return unknown


def _refuse(step: Step, frame: FrameNode, question: AskHost) -> Any:
    kind = question.holder.class_name
    raise Unsupported(f"window.{question.name}" if kind == "Window" else f"{question.name} of a {kind}")


def _add_listener(step: Step, frame: FrameNode, question: AskHost) -> Any:
    """Perform `addEventListener(type, function, options)`; from then on the mock refuses to move the mouse here."""
    match question.arguments:
        case [str() as kind, FunctionValue()] | [str() as kind, FunctionValue(), bool()]:
            pass
        case _:
            raise Unsupported("addEventListener with anything but a name and a function of the page")
    if kind in _MOUSE.split() and not frame.document.elements:
        put_dom(step, frame, replace(frame.dom, listens=True))
    elif kind not in _OTHER_INPUT.split():
        raise Unsupported(f"a listener for {kind}")
    return UNSET


def _has(step: Step, frame: FrameNode, question: AskHost) -> bool:
    name = question.name
    if name in TOUCH and not emulated(step, frame).get("mobile"):
        return False
    if name in TOUCH or not is_secure(frame):
        raise Unsupported(f"whether the window has {name}")
    return True


def _computed_style(step: Step, frame: FrameNode, question: AskHost) -> HostObject:
    match question.arguments:
        case (HostObject(class_name="HTMLBodyElement"),):
            return HostObject("CSSStyleDeclaration", key=str(step.number()), about="computed")
        case _:
            raise Unsupported("the computed style of anything but the body")


def _selection(step: Step, frame: FrameNode, question: AskHost) -> HostObject:
    require_elements(frame, bare=True)
    return HostObject("Selection")


def _match_media(step: Step, frame: FrameNode, question: AskHost) -> HostObject:
    match question.arguments:
        case (str() as query,):
            matches(step, frame, query)
            return HostObject("MediaQueryList", key=str(step.number()), about=query)
        case _:
            raise Unsupported("matchMedia without a text")


def _scrolled(step: Step, frame: FrameNode, question: AskHost) -> int:
    require_elements(frame, bare=True)
    roomy_size(step, frame)
    return 0


def _scroll(step: Step, frame: FrameNode, question: AskHost) -> HostPromise:
    if [type(argument) for argument in question.arguments] != [int, int]:
        raise Unsupported(f"{question.name} with anything but two numbers")
    _scrolled(step, frame, question)
    return HostPromise({"interrupted": False})


def _stop(step: Step, frame: FrameNode, question: AskHost) -> Any:
    if frame.loading != "done" or frame.parent or frame.document.frames or step.state.network_requests or step.todo:
        raise Unsupported("stop() while something loads")
    return UNSET


def _count(step: Step, frame: FrameNode, question: AskHost) -> int:
    """Return the id of a new timer, or of a callback for an animation frame."""
    if question.name != "setTimeout" and (frame.parent or not is_alone(step, frame)):
        raise Unsupported("the animation frames of a page that another may cover")
    count = frame.dom.counts.get(question.name, 0) + 1
    put_dom(step, frame, replace(frame.dom, counts={**frame.dom.counts, question.name: count}))
    return count


def milliseconds_since_start(frame: FrameNode, now: float) -> float:
    """Return the time that a callback for an animation frame gets."""
    return round((now - frame.dom.started) * 1000, 1)


def _orientation(step: Step, frame: FrameNode, question: AskHost) -> str:
    if emulated(step, frame):
        raise Unsupported("the orientation of an emulated screen")
    return "landscape-primary"


def _fonts_ready(step: Step, frame: FrameNode, question: AskHost) -> HostPromise:
    if frame.loading != "done":
        raise Unsupported("document.fonts.ready while the document loads")
    return HostPromise(question.holder, "document.fonts.ready")


def _storage_access(step: Step, frame: FrameNode, question: AskHost) -> HostPromise:
    if frame.parent or (origin_url_of(frame) and not is_secure(frame)):
        raise Unsupported("whether an iframe, or a document that is not secure, has access to storage")
    return HostPromise(is_secure(frame))


def _clipboard(step: Step, frame: FrameNode, question: AskHost) -> Any:
    if frame.parent:
        raise Unsupported("the clipboard of an iframe")
    return HostObject("Clipboard") if is_secure(frame) else UNSET


def _read_clipboard(step: Step, frame: FrameNode, question: AskHost) -> HostPromise:
    if not is_alone(step, frame) or header(frame.document.headers, "Permissions-Policy"):
        raise Unsupported("the clipboard of a page that another may cover, or with a policy")
    return HostPromise(Threw(Failure("NotAllowedError", _DENIED, class_name="DOMException", stack=False), 0))


def _position(step: Step, frame: FrameNode, question: AskHost) -> Any:
    match question.arguments:
        case (FunctionValue(),):
            return UNSET  # nobody grants the permission, and nobody hears of that
        case _:
            raise Unsupported("getCurrentPosition with anything but one function")


_BY_MEMBER: Final[Mapping[tuple[str, str], _Answer]] = {
    **{("read", f"Window.{name}"): lambda step, frame, question: size(step, frame, question.name) for name in SIZES},
    **dict.fromkeys([("read", f"Window.{name}") for name in ("scrollX", "scrollY")], _scrolled),
    **dict.fromkeys([("read", f"Window.{name}") for name in ("localStorage", "sessionStorage")], storage_area),
    **dict.fromkeys([("call", f"Window.{name}") for name in ("scrollBy", "scrollTo")], _scroll),
    **dict.fromkeys([("call", f"Window.{name}") for name in ("requestAnimationFrame", "setTimeout")], _count),
    **dict.fromkeys([("call", f"{name}.addEventListener") for name in ("HTMLDocument", "Window")], _add_listener),
    ("read", "FontFaceSet.ready"): _fonts_ready,
    ("read", "MediaQueryList.matches"): lambda step, frame, question: matches(step, frame, question.holder.about),
    ("read", "Navigator.clipboard"): _clipboard,
    ("read", "ScreenOrientation.type"): _orientation,
    ("call", "Clipboard.readText"): _read_clipboard,
    ("call", "Geolocation.getCurrentPosition"): _position,
    ("call", "HTMLDocument.hasStorageAccess"): _storage_access,
    ("call", "Window.getComputedStyle"): _computed_style,
    ("call", "Window.getSelection"): _selection,
    ("call", "Window.matchMedia"): _match_media,
    ("call", "Window.stop"): _stop,
}
_BY_CLASS: Final[Mapping[str, _Answer]] = {
    "CSSStyleDeclaration": answer_style,
    "HTMLDocument": answer_document,
    "Storage": answer_storage,
    "Window": lambda step, frame, question: (_has if question.how == "in" else _refuse)(step, frame, question),
}
