"""The tool `browser_inspect`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed.protocol import dom, runtime
from supervisor.tools.framework.results import ROWS_CHARS
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText, QuotedLines
from supervisor.tools.page.boxes import box_of
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import check_no_dialog, find, run_on

from .accessibility import AccessibilityProblem, audit
from .element_tree import tree_of
from .matched_rules import ask, styles_of

MOST_CHARACTERS = 20_000
_INPUT = re.compile(r'<input(?:\s+[^\s=>]+(?:="[^"]*")?)*\s*/?>', re.IGNORECASE)
_VALUE = re.compile(r'(\svalue=)"[^"]*"', re.IGNORECASE)


class InspectArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_inspect`."""

    ref: str | None = None
    """A ref or locator. A tree needs none."""
    show: Literal["html", "attributes", "box", "styles", "tree", "accessibility"]
    """tree: lines, boxes, whole URLs."""
    depth: Annotated[int, Meta(ge=1)] | None = None
    """Levels of the tree."""
    find: str | None = None
    """Regex for its lines, or tags of accessibility rules: wcag2a."""


class PageBox(Struct, frozen=True, kw_only=True):
    """The border box in CSS pixels of the page's viewport."""

    x: float
    y: float
    width: float
    height: float


class Inspected(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Details of an element, of the kind that was asked for."""

    html: LongPageText = ""
    """The element's own HTML, without the values of password fields."""
    characters_left: int = 0
    """The characters of the HTML that are left out at its end."""
    attributes: Mapping[str, LongPageText] | None = None
    box: PageBox | None = None
    computed: Mapping[str, LongPageText] | None = None
    """The values in force of the properties that a rule or the element itself sets."""
    rules: list[PageText] = []
    """The rules of the page that match, the strongest last. Those of the browser are left out."""
    inherited: list[PageText] = []
    """The rules for its ancestors, the nearest last, with the properties that it inherits."""
    tree: QuotedLines | None = None
    """A line per element: role, name, ref, states, address, and box as left, top, width and height."""
    lines_left: int = 0
    """The lines of the tree that are left out at its end."""
    problems: list[AccessibilityProblem] | None = None
    """The accessibility rules that the page breaks."""
    left_out: list[str] = []
    """The ids of the iframes that were not audited."""


@tool(toolset="browser-extras", reads_only=True, idempotent=True)
async def browser_inspect(context: ToolContext, arguments: InspectArguments) -> Inspected:
    """Inspect HTML, attributes, box, tree, or styles with their rules."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    if arguments.show == "tree":
        tree = await tree_of(supervisor, arguments.ref, arguments.depth, arguments.find, ROWS_CHARS)
        return Inspected(tree=tree.text, lines_left=tree.lines_left)
    if arguments.show == "accessibility":
        context.policy.check_method(runtime.Evaluate.METHOD)
        audited = await audit(supervisor, arguments.ref, arguments.find)
        return Inspected(problems=audited.problems, left_out=audited.left_out)
    for name in ("depth", "find"):
        if getattr(arguments, name) is not None:
            raise InvalidArgument(name, "only a tree has it")
    if arguments.ref is None:
        raise InvalidArgument("ref", f"{arguments.show} needs an element")
    (ref,) = await refs_for(supervisor, [arguments.ref])
    element = find(supervisor, ref)
    node = dom.BackendNodeId(element.backend_node_id)
    if not await run_on(supervisor, element, "function() { return this.isConnected }"):
        raise StaleRef(ref, "it was removed from its document")
    match arguments.show:
        case "html":
            text = _without_passwords((await ask(context, element, dom.GetOuterHTML(backend_node_id=node))).outer_html)
            return Inspected(html=text[:MOST_CHARACTERS], characters_left=max(0, len(text) - MOST_CHARACTERS))
        case "attributes":
            described = (await ask(context, element, dom.DescribeNode(backend_node_id=node))).node
            return Inspected(attributes=_attributes(described))
        case "box":
            box = await box_of(supervisor, element)
            return Inspected(
                box=PageBox(x=box.left, y=box.top, width=box.right - box.left, height=box.bottom - box.top)
            )
        case _:
            styles = await styles_of(context, element)
            return Inspected(computed=styles.computed, rules=styles.rules, inherited=styles.inherited)


def _attributes(node: dom.Node) -> dict[str, str]:
    names_and_values = iter(node.attributes or ())
    found = dict(zip(names_and_values, names_and_values, strict=True))
    if found.get("type", "").lower() == "password":
        found.pop("value", None)
    return found


def _without_passwords(html: str) -> str:
    def hidden(found: re.Match[str]) -> str:
        return _VALUE.sub(r'\1"..."', found[0]) if 'type="password"' in found[0].lower() else found[0]

    return _INPUT.sub(hidden, html)
