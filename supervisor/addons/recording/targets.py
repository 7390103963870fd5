"""Elements described so that a program can find them again: by role and name, by CSS, and by their frames."""

from __future__ import annotations

import json
import re

import msgspec
from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.errors import CommandError
from cdp_typed.protocol import accessibility, dom
from supervisor.aio import AsyncSupervisor
from supervisor.tools.actions.fields import field_of
from supervisor.tools.page.document.tree_nodes import text_of
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.locators import locator_of, refs_for
from supervisor.tools.page.page_frames import find, nodes_in, owner_of, parent_of, run, run_on, top_frame
from supervisor.tools.page.refs import Element

LONGEST_NAME = 100
"""Characters of a name that serves as a locator."""

_ROLES = frozenset(
    {
        "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton",
        "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "heading", "listitem", "list",
        "img", "table", "row", "cell", "columnheader", "dialog", "navigation", "region", "form",
    }
)  # fmt: skip
"""Roles of ARIA that Chromium and test tools compute in the same way."""

NAMED = re.compile(r'(\w+) "((?:[^"\\]|\\.)*)"', re.DOTALL)
"""A role and a name."""

_COUNT = """(selector => {
    const count = root => [...root.querySelectorAll('*')].reduce(
        (sum, node) => node.shadowRoot ? sum + count(node.shadowRoot) : sum, root.querySelectorAll(selector).length);
    return count(document);
})(%s)"""

_DESCRIBE = """function() {
    const NAMES = ['data-testid', 'data-test', 'data-cy', 'id', 'name'];
    const isMade = id => /\\d{3,}|^:|[0-9a-f]{8,}/.test(id);
    const count = (selector, root = document) => [...root.querySelectorAll('*')]
        .reduce((sum, node) => node.shadowRoot ? sum + count(selector, node.shadowRoot) : sum,
            root.querySelectorAll(selector).length);
    const stable = element => {
        for (const name of NAMES) {
            const value = element.getAttribute(name);
            if (!value || value.length > 80 || isMade(value)) continue;
            const escaped = CSS.escape(value), tag = CSS.escape(element.localName);
            const selector = name === 'id' ? `#${escaped}` : `${tag}[${name}="${escaped}"]`;
            if (count(selector) === 1) return selector;
        }
        return null;
    };
    const step = element => {
        const tag = CSS.escape(element.localName);
        const same = [...the(element.parentNode).children].filter(other => other.localName === element.localName);
        return same.length > 1 ? `${tag}:nth-of-type(${same.indexOf(element) + 1})` : tag;
    };
    const path = (element, root) => {
        const steps = [step(element)];
        for (let at = element.parentElement; at; at = at.parentElement) {
            const known = stable(at);
            steps.unshift(known ?? step(at));
            if (known) break;
        }
        const selector = steps.join(' > '), found = root.querySelectorAll(selector);
        return found.length === 1 && found[0] === element ? selector : null;
    };
    let option = null, target = this.nodeType === 1 ? this : this.parentElement;
    if (target instanceof HTMLOptionElement && target.closest('select')) {
        option = target;
        target = target.closest('select');
    }
    const css = [];
    let isStable = false;
    for (let at = target; at;) {
        const root = at.getRootNode(), known = stable(at), selector = known ?? path(at, root);
        if (at === target) isStable = known !== null;
        if (selector === null || (root instanceof ShadowRoot && root.mode !== 'open')) return null;
        css.unshift(selector);
        at = root.host;
    }
    const items = [...this.querySelectorAll('li, option, tr, [role=listitem], [role=option], [role=row]')];
    const outer = items.filter(item => !items.some(other => other !== item && other.contains(item)));
    const wanted = outer.length ? outer : [...this.children];
    const choices = [':scope > li', ':scope > option', 'tr', '[role=listitem]', '[role=option]', '[role=row]',
        ':scope > *'];
    const list = choices.find(choice => {
        const found = this.querySelectorAll(choice);
        return found.length === wanted.length && wanted.every((item, index) => item === found[index]);
    });
    return {css, is_stable: isStable, option: option?.label ?? null, items: list ?? '',
        has_value: typeof target.value === 'string'};
}"""
"""A function: selectors that mean the element, one for each shadow root around it, and its state; null in a closed
shadow root."""


class _Described(Struct, frozen=True, kw_only=True):
    """An element as its own document describes it."""

    css: tuple[str, ...]
    """Selectors that mean it alone, one for each shadow root around it."""
    is_stable: bool
    """The selector is an attribute that people give to elements, and no path."""
    option: str | None = None
    """The label, if the element is an option of a select; then the other fields describe the select."""
    items: str = ""
    """A selector, within the element, of the items of a list."""
    has_value: bool = False
    """It has a value that is a text."""


class ElementTarget(_Described, frozen=True, kw_only=True):
    """An element as a program finds it."""

    locator: str
    """The locator of these tools."""
    role: str = ""
    """Its role and name, if test tools know the role; empty without them."""
    name: str = ""
    position: int | None = None
    """Its number among the elements of this role and name in its document; None if it is the only one."""
    frames: tuple[tuple[str, ...], ...] = ()
    """The selectors of each iframe around it, one for each shadow root; the outermost iframe first."""
    kind: str = "other"
    """Its kind as a form field (`actions.fields`)."""
    is_secret: bool = False
    """It takes a password or the like."""

    @property
    def is_found_by_role(self) -> bool:
        """Whether role and name are the best way to find it."""
        return bool(self.role) and self.option is None and (self.position is None or not self.is_stable)


async def target_of(supervisor: AsyncSupervisor, ref: str) -> ElementTarget | None:
    """The element that a ref or a locator means; None where no locator finds it, as in a closed shadow root.

    Raises what `refs_for` raises, and `StaleRef`.
    """
    (ref,) = await refs_for(supervisor, [ref])
    element = find(supervisor, ref)
    described = await _described(supervisor, element)
    if described is None:
        return None
    role, name, position = await _role_and_name(supervisor, element)
    field = await field_of(supervisor, element)
    named = f'{"image" if role == "img" else role} "{_escaped(name)}"' if role else ""
    css = f"css={described.css[-1]}"
    locator = await locator_of(supervisor, ref, (named, css if described.is_stable else ""))
    locator = locator or await locator_of(supervisor, ref, (css,))
    if not locator:
        return None
    return ElementTarget(
        **msgspec.structs.asdict(described),
        locator=locator,
        role=role,
        name=name,
        position=position,
        frames=await _frames_around(supervisor, element),
        kind=field.kind,
        is_secret=field.is_secret,
    )


async def count_in_top(supervisor: AsyncSupervisor, locator: str) -> int | None:
    """The number of elements in the top document that a CSS selector, or a role and name, means in test tools; None
    for other locators."""
    frame_id = top_frame(supervisor).frame_id
    if locator.startswith("css="):
        return convert(await run(supervisor, frame_id, _COUNT % json.dumps(locator.removeprefix("css="))), int)
    named = NAMED.fullmatch(locator)
    if named is None or named[1] not in _ROLES:
        return None
    return len(await _same_as(supervisor, frame_id, named[1], re.sub(r"\\(.)", r"\1", named[2])))


async def _described(supervisor: AsyncSupervisor, element: Element) -> _Described | None:
    return convert(await run_on(supervisor, element, _DESCRIBE), _Described | None)


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


async def _same_as(supervisor: AsyncSupervisor, frame_id: str, role: str, name: str) -> list[int]:
    """The backend ids of the elements of a document with exactly this role and name, in its order
    (`Accessibility.queryAXTree`)."""
    frame = next(frame for frame in supervisor.frames() if frame.frame_id == frame_id)
    (document,) = await nodes_in(supervisor, frame, "[document]")
    chromium_role = "image" if role == "img" else role
    query = accessibility.QueryAXTree(
        backend_node_id=dom.BackendNodeId(document), role=chromium_role, accessible_name=name
    )
    found = (await supervisor.send(query, frame_id)).nodes
    return [node.backend_dom_node_id for node in found if not node.ignored and node.backend_dom_node_id is not None]


async def _role_and_name(supervisor: AsyncSupervisor, element: Element) -> tuple[str, str, int | None]:
    """Role, name and position; empty texts for an element that a person would not name."""
    frame_id = element.frame.frame_id
    ask = accessibility.GetPartialAXTree(
        backend_node_id=dom.BackendNodeId(element.backend_node_id), fetch_relatives=False
    )
    try:
        node = (await supervisor.send(ask, frame_id)).nodes[0]
        role, name = text_of(node.role), text_of(node.name).strip()  # "Mail " in Chromium 150
        role = "img" if role == "image" else role
        if node.ignored or role not in _ROLES or not name or len(name) > LONGEST_NAME:
            return "", "", None
        same = await _same_as(supervisor, frame_id, role, name)
    except (CommandError, IndexError, StopIteration):  # not in the accessibility tree
        return "", "", None
    if element.backend_node_id not in same:
        return "", "", None
    return role, name, same.index(element.backend_node_id) if len(same) > 1 else None


async def _frames_around(supervisor: AsyncSupervisor, element: Element) -> tuple[tuple[str, ...], ...]:
    frames: list[tuple[str, ...]] = []
    frame = element.frame
    while (parent := parent_of(frame, element.tree)) is not None:
        owner = Element(
            ref=element.ref,
            frame=parent,
            backend_node_id=await owner_of(supervisor, frame, parent),
            tree=element.tree,
        )
        described = await _described(supervisor, owner)
        if described is None:
            raise StaleRef(element.ref, "an iframe around it is in a closed shadow root")
        frames.insert(0, described.css)
        frame = parent
    return tuple(frames)
