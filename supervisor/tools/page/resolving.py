"""The element that a ref names, unless it has become another one since it was read."""

from __future__ import annotations

import contextlib

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.printable import visible
from cdp_typed.protocol import accessibility, dom
from supervisor.aio import AsyncSupervisor

from .document.element_line import quoted
from .document.reading import Read, beginning
from .document.tree_nodes import plain, text_of
from .element_errors import ElementChanged, StaleRef
from .page_frames import find, run_on
from .refs import Element, Node, refs_of
from .scripts.hits import IS_DISABLED

_WORDS = """function(row) {
    const texts = [], plain = text => (text || '').trim().replace(/\\s+/g, ' ');
    const walker = document.createTreeWalker(row || this, NodeFilter.SHOW_TEXT);
    while (texts.length < 300 && walker.nextNode()) texts.push(plain(walker.currentNode.data));
    const isButton = ['button', 'submit', 'reset', 'image'].includes(this.type);
    const names = () => (this.ariaLabel ? [this.ariaLabel] : [this.alt, this.textContent, isButton && this.value,
        ...[...this.labels || []].map(label => label.textContent), this.title, this.placeholder])
        .map(plain).filter(name => name);
    const used = globalThis.used ??= {now: new Map(), left: new WeakMap()}, left = used.left.get(this);
    used.now.set(this, names);
    return [names(), texts.filter(text => text), String(names()) === left];
}"""
"""A function: names that the element may have, and the texts in its row, as its document has them; also whether the
names are those that the latest action on it left."""

_STATE = f"""function(row) {{
    return this.isConnected ? [...({_WORDS}).call(this, row), ({IS_DISABLED}).call(this)] : null;
}}"""
"""The same, and whether the element is disabled; null for one that is in no document any more."""

ACTION_BEGINS = "globalThis.used?.now.clear();"
ACTION_LEAVES = (
    "for (const [node, names] of globalThis.used?.now ?? []) globalThis.used.left.set(node, String(names()));"
)
"""Scripts: keep the names that an action leaves of the elements that it uses."""


async def resolve_ref(supervisor: AsyncSupervisor, ref: str) -> Element:
    """The element that a ref names, as it was read: a list that recycles its rows makes another one of it.

    What the latest action on it made of it is the same element. Raises what `find` raises, and `ElementChanged` with
    what the element is now.
    """
    element = find(supervisor, ref)
    read = element.read
    if read is None:
        return element
    try:
        told = await run_on(supervisor, element, _STATE, *(() if read.row is None else (read.row,)))
    except StaleRef:  # its row was removed; was the element?
        read = replace(read, row=None)
        told = await run_on(supervisor, element, _STATE)
    if told is None:
        raise StaleRef(ref, "it was removed from its document")
    names, texts, is_left, is_disabled = told
    element = replace(element, is_disabled=is_disabled)
    is_named = any(map(read.is_named, names)) if read.name else read.row is not None or not names
    if is_named and read.is_in_row_with(texts):
        return element
    now = await _read_again(supervisor, element, read)  # what is hidden, or drawn by a style, is named in another way
    if now == read:
        return element
    node = Node(element.frame.frame_id, element.frame.loader_id, element.backend_node_id)
    refs_of(supervisor).saw(node, now)
    if is_left and read.may_become(now):
        return element
    row = f" in {quoted(now.row_text)}" if now.row_text != read.row_text else ""
    raise ElementChanged(ref, f"{visible(now.role, 40)} {quoted(now.name)}{row}")


async def _read_again(supervisor: AsyncSupervisor, element: Element, read: Read) -> Read:
    """The same when it is still what was read (`Accessibility.getPartialAXTree`, `queryAXTree`), or else what it is."""
    frame_id, now = element.frame.frame_id, read
    command = accessibility.GetPartialAXTree(
        backend_node_id=dom.BackendNodeId(element.backend_node_id), fetch_relatives=False
    )
    with contextlib.suppress(CommandError):  # not shown: then there is nothing to compare
        for node in (await supervisor.send(command, frame_id)).nodes:
            if not node.ignored and not (text_of(node.role) == read.role and read.is_named(text_of(node.name))):
                now = replace(now, role=text_of(node.role), name=plain(text_of(node.name)))
    if read.row is not None:
        query = accessibility.QueryAXTree(backend_node_id=dom.BackendNodeId(read.row), role="StaticText")
        with contextlib.suppress(CommandError):  # the row was removed, and the element was not
            texts = [plain(text_of(node.name)) for node in (await supervisor.send(query, frame_id)).nodes]
            if not read.is_in_row_with(texts):
                now = replace(now, row_text=beginning(texts))
    return now
