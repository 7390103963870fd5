"""The documents of a site as HTML, as the site's server sends them."""

from __future__ import annotations

import html
import re
from typing import Final

from cdp_typed.mock.site import FileInput, Frame, Link, Page, Resource

ROW_HEIGHT: Final = 20
"""The height of each element, in CSS pixels."""
_END_TAG: Final = re.compile("</(?=script)", re.IGNORECASE)
_RESOURCES: Final = {
    "Image": '<img src="{}">',
    "Script": '<script src="{}"></script>',
    "Stylesheet": '<link rel="stylesheet" href="{}">',
    "Font": '<link rel="preload" as="font" crossorigin href="{}">',
    "Media": '<audio preload="auto" src="{}"></audio>',
}


def document_html(page: Page) -> str:
    """Return the document as HTML. Its icon keeps Chromium from requesting one."""
    parts = ["<!doctype html><link rel=icon href=data:,>", f"<title>{html.escape(page.title, quote=False)}</title>"]
    if page.beforeunload:
        parts.append(_script("addEventListener('beforeunload', event => event.preventDefault())"))
    if page.script:
        parts.append(_script(page.script))
    parts += map(_tag, page.resources)
    parts += map(_tag, page.frames)
    parts += [_element(element, ROW_HEIGHT * row) for row, element in enumerate(page.elements)]
    if page.on_load:
        parts.append(_script(f"addEventListener('load', () => {{ {page.on_load} }})"))
    return "\n".join(parts)


def place_of(page: Page, element: Frame | Resource) -> tuple[int, int]:
    """Return the line and column, from 0, at which the start tag of an element of the document ends."""
    tag = _tag(element)
    start = tag[: tag.index(">") + 1]
    before = document_html(page).partition(tag)[0] + start
    return before.count("\n"), len(before.rpartition("\n")[2])


def _script(text: str) -> str:
    text = _END_TAG.sub(r"<\\/", text)
    return f"<script>{text}</script>"


def _tag(element: Frame | Resource) -> str:
    if isinstance(element, Resource):
        return _RESOURCES[element.type].format(html.escape(element.url))
    name = html.escape(element.name)
    source = f'src="{html.escape(element.url)}"'
    if element.srcdoc is not None:
        source = f'srcdoc="{html.escape(document_html(element.srcdoc))}"'
    return f'<iframe id="{name}" name="{name}" {source}></iframe>'


def _element(element: Link | FileInput, top: int) -> str:
    name = html.escape(element.name)
    style = f"position: absolute; left: 0; top: {top}px; height: {ROW_HEIGHT}px"
    if isinstance(element, FileInput):
        several = " multiple" if element.multiple else ""
        changed = f' onchange="{html.escape(element.on_change)}"' if element.on_change else ""
        return f'<input type="file" id="{name}"{several}{changed} style="{style}">'
    download = f' download="{html.escape(element.download)}"' if element.download else ""
    url = html.escape(element.url)
    return f'<a id="{name}" href="{url}"{download} style="{style}; width: 200px">{name}</a>'
