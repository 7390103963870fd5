"""Which documents the mock knows whole, so that it may say what is not in them."""

from __future__ import annotations

from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.mock.document_html import document_html
from cdp_typed.mock.js.calls import UNREAD
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.dom_state import DomState
from cdp_typed.mock.state.http import ClientsDocument, header
from cdp_typed.mock.state.step import Step, origin_url_of
from cdp_typed.mock.urls import is_local


def put_dom(step: Step, frame: FrameNode, dom: DomState) -> None:
    """Replace what scripts have made of the document."""
    step.put_frame(replace(frame, dom=dom))


def require_scripts(frame: FrameNode) -> None:
    """Raise `Unsupported` for a document of which the mock has not run a script."""
    if any(UNREAD in context.variables for context in frame.contexts):
        raise Unsupported("what a script of this document has done that the mock does not support")


def require_elements(frame: FrameNode, *, bare: bool = False) -> None:
    """Raise `Unsupported` where the mock does not know all elements; for a `bare` document, if there are any."""
    require_scripts(frame)
    page = frame.document
    is_html = header(page.headers, "Content-Type").partition(";")[0].strip().lower() in ("", "text/html")
    is_of_the_site = page.body in ("", document_html(page)) and not isinstance(page, ClientsDocument)
    if frame.unreachable or not is_html or not is_of_the_site:
        raise Unsupported("the elements of a document whose HTML it does not parse")
    if frame.loading in ("starting", "committing", "script"):
        raise Unsupported("the elements of a document while its scripts run for the first time")
    has_scripts = page.script or page.on_load or page.beforeunload
    if bare and (has_scripts or page.frames or page.elements or page.resources):
        raise Unsupported("the text and the layout of a page with scripts, iframes or elements")


def is_secure(frame: FrameNode) -> bool:
    """Return whether a top document is a secure context."""
    parts = urlsplit(origin_url_of(frame))
    return parts.scheme == "https" or (parts.scheme == "http" and is_local(parts.hostname))


def is_alone(step: Step, frame: FrameNode) -> bool:
    """Return whether the frame's page is the only one of its browser context, so that no other can cover it."""
    target = step.state.targets[frame.target]
    pages = [each.id for each in step.state.targets.values() if (each.type, each.context) == ("page", target.context)]
    return pages == [target.page]
