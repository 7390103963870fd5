"""The rules of an element's styles, asked of the browser (`CSS.getMatchedStylesForNode`)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.errors import CDPError
from cdp_typed.protocol import css, dom
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.page.page_frames import run_on, top_of_session
from supervisor.tools.page.refs import Element
from supervisor.tools.raw_commands.checks import check_command

from .highlight import has_box

_NAMES_OF_INHERITED = """
    accent-color border-collapse border-spacing caption-side caret-animation caret-color clip-rule color
    color-interpolation color-interpolation-filters color-rendering color-scheme cursor direction dominant-baseline
    empty-cells fill fill-opacity fill-rule font font-family font-feature-settings font-kerning font-language-override
    font-optical-sizing font-palette font-size font-size-adjust font-stretch font-style font-synthesis
    font-synthesis-small-caps font-synthesis-style font-synthesis-weight font-variant font-variant-caps
    font-variant-east-asian font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position
    font-variation-settings font-weight forced-color-adjust hyphenate-character hyphenate-limit-chars hyphens
    image-orientation image-rendering letter-spacing line-break line-height list-style list-style-image
    list-style-position list-style-type marker marker-end marker-mid marker-start math-depth math-style orphans
    overflow-wrap paint-order pointer-events print-color-adjust quotes ruby-align ruby-overhang ruby-position
    shape-rendering speak stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-opacity stroke-width tab-size text-align text-align-last text-anchor text-box-edge text-combine-upright
    text-decoration-skip-ink text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style text-indent
    text-justify text-orientation text-rendering text-shadow text-size-adjust text-spacing-trim text-transform
    text-underline-offset text-underline-position text-wrap text-wrap-mode text-wrap-style user-select visibility
    white-space white-space-collapse widows word-break word-spacing word-wrap writing-mode
    -webkit-border-horizontal-spacing -webkit-border-vertical-spacing -webkit-font-smoothing -webkit-line-break
    -webkit-locale -webkit-print-color-adjust -webkit-ruby-position -webkit-tap-highlight-color
    -webkit-text-fill-color -webkit-text-orientation -webkit-text-security -webkit-text-stroke
    -webkit-text-stroke-color -webkit-text-stroke-width -webkit-user-select -webkit-writing-mode"""
_INHERITED = frozenset(_NAMES_OF_INHERITED.split())
"""As Chromium 156 computes them: the protocol does not say which properties elements inherit."""
MOST_RULES = 50
_COMPUTED = """function() {
    const style = getComputedStyle(this);
    return Object.fromEntries(%s.map(name => [name, style.getPropertyValue(name)]));
}"""


class Styles(Struct, frozen=True):
    """The styles of an element."""

    computed: Mapping[str, str]
    """The values in force of the properties that a rule or the element itself sets."""
    rules: list[str]
    """The strongest last."""
    inherited: list[str]
    """The rules for its ancestors, the nearest last."""


async def ask(context: ToolContext, element: Element, command: Command[Any]) -> Any:
    """Send a command about the element. Raises `PolicyRefused`."""
    await check_command(context.supervisor, context.policy, command, element.frame.frame_id)
    return await context.supervisor.send(command, element.frame.frame_id)


async def styles_of(context: ToolContext, element: Element) -> Styles:
    """Return the styles of an element. Raises `PolicyRefused`."""
    async with _style_agent(context, element):
        # A node has an id for this command only below a document that was asked for.
        await ask(context, element, dom.GetDocument(depth=0))
        nodes = dom.PushNodesByBackendIdsToFrontend(backend_node_ids=[dom.BackendNodeId(element.backend_node_id)])
        (node,) = (await ask(context, element, nodes)).node_ids
        matched = await ask(context, element, css.GetMatchedStylesForNode(node_id=node))
    styles = [each.rule.style for each in _rules_of(matched.matched_css_rules)]
    inline = [style for style in (matched.attributes_style, matched.inline_style) if style is not None]
    names = sorted({each.name for style in (*styles, *inline) for each in style.css_properties if not each.disabled})
    computed = await run_on(context.supervisor, element, _COMPUTED % json.dumps(names))
    rules = [_written(each, _set_by(each.rule.style)) for each in _rules_of(matched.matched_css_rules)]
    return Styles(computed=computed, rules=rules[-MOST_RULES:], inherited=_inherited(matched)[-MOST_RULES:])


@asynccontextmanager
async def _style_agent(context: ToolContext, element: Element) -> AsyncGenerator[None]:
    """Enable the domains of styles in the element's session, and disable them at the end."""
    try:
        for command in (dom.Enable(), css.Enable()):
            await ask(context, element, command)
        yield
    finally:
        kept = has_box(context.supervisor, top_of_session(element.frame, element.tree).frame_id)
        for command in (css.Disable(), *(() if kept else (dom.Disable(),))):
            with suppress(CDPError):  # they ended with the document
                await context.supervisor.send(command, element.frame.frame_id)


def _inherited(matched: css.GetMatchedStylesForNodeResult) -> list[str]:
    """The rules and the `style` of each ancestor that set a property which its descendants inherit."""
    found = list[str]()
    for ancestor in reversed(matched.inherited or ()):
        for each in _rules_of(ancestor.matched_css_rules):
            found += [_written(each, kept) for kept in [_set_by(each.rule.style, only_inherited=True)] if kept]
        if ancestor.inline_style is not None:
            kept = _set_by(ancestor.inline_style, only_inherited=True)
            found += [f"style {{ {kept} }}"] if kept else []
    return found


def _rules_of(matches: Sequence[css.RuleMatch] | None) -> Iterator[css.RuleMatch]:
    return (each for each in matches or () if each.rule.origin == "regular")


def _set_by(style: css.CSSStyle, *, only_inherited: bool = False) -> str:
    texts = (
        each.text.rstrip("; ")
        for each in style.css_properties
        if each.text and (not only_inherited or each.name in _INHERITED or each.name.startswith("--"))
    )
    return "; ".join(texts)


def _written(match: css.RuleMatch, set_here: str) -> str:
    """A rule after the groups that it is in: `@layer base @media print p { color: red }`."""
    rule, listed = match.rule, match.rule.selector_list.selectors
    groups = [
        *(f"@layer {each.text}" for each in reversed(rule.layers or ())),
        *(f"@media {each.text}" for each in reversed(rule.media or ())),
        *(
            f"@container {f'{each.name} ' if each.name else ''}{each.text}"
            for each in reversed(rule.container_queries or ())
        ),
        *(f"@supports {each.text}" for each in reversed(rule.supports or ())),
        *(f"@scope {each.text}" for each in reversed(rule.scopes or ())),
        *reversed(rule.nesting_selectors or ()),
    ]
    selector = ", ".join(listed[number].text for number in match.matching_selectors)
    return " ".join([*groups, f"{selector} {{ {set_here} }}"])
