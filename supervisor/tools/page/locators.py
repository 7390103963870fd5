"""Elements named by what a snapshot shows of them, in place of a ref.

`button "Save"` names a role and a name, `label=E-mail` a form field, `css=#save` a CSS selector; any other text is the
name of an element or a text on the page. Case does not matter. A whole name comes before words of one, and elements
that can be used come before others. ` >> nth=1` after any of them means the second match.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool_errors import InvalidArgument

from .document.element_line import DATES, INTERACTIVE, OutlineLine, quoted
from .element_errors import AmbiguousLocator, NotLocated
from .outline import read_lines
from .outline_parts import PageLines, PlacedLine
from .page_frames import check_no_dialog, find, frame_id_of, nodes_in, run, run_on
from .refs import Node, all_frames, is_ref, refs_of
from .scripts.second_session import named_worker

S = TypeVar("S", bound=Struct)

CANDIDATES = 12
"""Elements that a refusal lists."""
MOST = 1_000
"""Elements that a CSS selector finds at most."""

_CHOICES = frozenset({"option", "treeitem", "menuitemcheckbox", "menuitemradio"})
"""Roles of what is chosen, or not, besides form fields."""

_ARGUMENTS = {"ref": "at", "to_ref": "to_at"}
"""The arguments that name an element, and those that name a place of it."""
POSITIONED = re.compile(r"(.+) >> nth=(\d{1,4})", re.DOTALL)
_LOCATOR = re.compile(r'css=|label=|(\w+ )?".')
"""The begin of a text that is no frame's id."""
_NAMED = re.compile(r'(?:(\w+) )?"(.*)"', re.DOTALL)
_SELECT = """(selector => {
    const found = [], look = root => {
        found.push(...root.querySelectorAll(selector));
        for (const node of root.querySelectorAll('*')) if (node.shadowRoot) look(node.shadowRoot);
    };
    look(document);
    const isShown = node => node.getClientRects().length > 0 && getComputedStyle(node).visibility === 'visible';
    const shown = found.filter(isShown);
    return (shown.length ? shown : found).slice(0, %d);
})(%s)"""
"""A script: the first elements that a selector means, in open shadow trees, too; hidden ones where none is shown."""

FIND_TEXT = """function(wanted, which = 0, levels = 5) {
    const above = node => node.parentNode || node.host, range = globalThis.textRange = document.createRange();
    for (let around = this, level = 0; around && level < levels; around = above(around), level++) {
        let left = which;
        const texts = document.createTreeWalker(around, NodeFilter.SHOW_TEXT), letters = [];
        while (letters.length < 20000 && texts.nextNode()) {
            const {data} = texts.currentNode;
            for (let at = 0; at < data.length; at++) {
                const letter = /\\s/.test(data[at]) ? ' ' : data[at];
                const isMore = letter === ' ' && letters.at(-1)?.letter === ' ';
                if (!isMore) letters.push({letter, node: texts.currentNode, at});
            }
        }
        const all = letters.map(({letter}) => letter.toLowerCase()[0]).join('');
        for (let start = all.indexOf(wanted); start >= 0; start = all.indexOf(wanted, start + 1)) {
            const first = letters[start], last = letters[start + wanted.length - 1];
            range.setStart(first.node, first.at);
            range.setEnd(last.node, last.at + 1);
            const boxes = [...range.getClientRects()].filter(({width, height}) => width && height);
            let inner = range.commonAncestorContainer;
            if (!(inner instanceof Element)) inner = inner.parentElement;
            inner = inner?.closest('svg text') || inner;
            const [outer] = inner?.getClientRects() || [];
            if (!boxes.length || !outer || left-- > 0) continue;
            globalThis.textElement = inner;
            return [boxes[0], boxes.at(-1)].map(({left, width, top, height}) =>
                [left - outer.left, width, top + height / 2 - outer.top]);
        }
    }
    return null;
}"""
"""A function: where the first and the last line of a text are (left, width, middle) in the innermost element that has
all of it; null if it is nowhere in the element or near around it. It keeps that element, and the text's range."""


async def with_refs(supervisor: AsyncSupervisor, arguments: S, *, of_fields: bool = False) -> S:
    """The same arguments, with a ref in place of each locator, and with its own place for a text that names no control.

    Raises what `refs_for` raises.
    """
    given = {name: text for name in _ARGUMENTS if (text := getattr(arguments, name, None)) is not None}
    page = await _page_for(supervisor, given.values())
    named = dict[str, str]()
    for name, text in given.items():
        named[name] = text
        if is_ref(text):
            continue
        place, at = await _place_of(supervisor, text, page, of_fields=of_fields), _ARGUMENTS[name]
        named[name] = _ref(supervisor, place)
        words = next((name for role, name in _readings(text) if role in ("", "text")), "")
        is_control = place.line.role in INTERACTIVE
        if words and not is_control and getattr(arguments, at, "") is None:
            named |= await _text_in(supervisor, place, words, name, at)
    return replace(arguments, **named)


async def refs_for(supervisor: AsyncSupervisor, texts: Sequence[str], *, of_fields: bool = False) -> list[str]:
    """The ref of the one element that each text means, in all frames; a ref is its own. With `of_fields`, fields and
    lists come before other elements that are called so, such as their labels.

    The page is read once at most. Raises `NotLocated`, `AmbiguousLocator`, `InvalidArgument` for a wrong CSS selector,
    and `BlockedByDialog` where a dialog keeps the page from being read.
    """
    page = await _page_for(supervisor, texts)
    return [
        text if is_ref(text) else _ref(supervisor, await _place_of(supervisor, text, page, of_fields=of_fields))
        for text in texts
    ]


async def _page_for(supervisor: AsyncSupervisor, texts: Iterable[str]) -> PageLines:
    is_needed = any(not is_ref(text) and not text.startswith("css=") for text in texts)
    return await read_lines(supervisor) if is_needed else PageLines()


async def _text_in(supervisor: AsyncSupervisor, place: PlacedLine, words: str, name: str, at: str) -> dict[str, str]:
    """The innermost element that has the whole text, and the middle of the text in it; nothing if none has."""
    element = find(supervisor, _ref(supervisor, place))
    found = await run_on(supervisor, element, f"function() {{ return ({FIND_TEXT}).call(this, {json.dumps(words)}) }}")
    if found is None:
        return {}
    (node,) = await nodes_in(supervisor, element.frame, "[globalThis.textElement]")
    inner = replace(place.node, backend_node_id=node)
    ((left, width, down), _) = found
    return {name: refs_of(supervisor).name(inner), at: f"{left + width / 2},{down}"}


async def frame_meant(supervisor: AsyncSupervisor, frame_id: str | None) -> str | None:
    """The id of the frame that an argument names: by its id, or by its iframe's ref or locator (`css=iframe`,
    `iframe "Map"`). Any other text counts as an id; one that names a worker is refused.

    Raises what `frame_id_of` and `refs_for` raise.
    """
    if named_worker(frame_id) is not None:
        raise InvalidArgument("frame_id", "a worker is no frame; browser_evaluate and browser_page reach workers")
    if frame_id is not None and _LOCATOR.match(frame_id):
        (frame_id,) = await refs_for(supervisor, [frame_id])
    return await frame_id_of(supervisor, frame_id)


async def count_of(supervisor: AsyncSupervisor, text: str) -> int:
    """The number of elements that a locator means, in all frames.

    Raises `InvalidArgument` for a wrong CSS selector, `BlockedByDialog` where a dialog keeps the page from being read,
    and what `evaluate` raises for a frame that does not answer: a frame that is left out would make the number wrong.
    """
    await check_no_dialog(supervisor)
    if not text.startswith("css="):
        return len(meant((await read_lines(supervisor)).lines, text))
    script = f"{_SELECT % (2**31, json.dumps(text.removeprefix('css=')))}.length"
    try:
        counts = [
            await run(supervisor, frame.frame_id, script) for frame in all_frames(supervisor.snapshot().frame_tree)
        ]
    except EvaluationFailed:
        raise _bad_selector() from None
    return sum(counts)


async def locator_of(supervisor: AsyncSupervisor, ref: str, texts: Sequence[str]) -> str:
    """The first of these locators that means the element alone; else the first that means it by its position; an empty
    text if none finds it. Raises what `refs_for` raises."""
    page, positioned = (await read_lines(supervisor)).lines, ""
    for text in filter(None, texts):
        found = await _matches(supervisor, text, page, MOST)
        refs = [refs_of(supervisor).name(place.node) for place in found]
        if refs == [ref]:
            return text
        if ref in refs and not positioned:
            positioned = f"{text} >> nth={refs.index(ref)}"
    return positioned


async def _place_of(supervisor: AsyncSupervisor, text: str, page: PageLines, *, of_fields: bool = False) -> PlacedLine:
    if (positioned := POSITIONED.fullmatch(text)) is not None:
        number = int(positioned[2])
        found = (await _matches(supervisor, positioned[1], page.lines, number + 1, in_order=True))[number : number + 1]
        if not found:
            raise NotLocated(text, _listed(supervisor, near(page.lines, positioned[1])), page.unread)
        return found[0]
    if text.startswith("css="):
        nodes = await _selected(supervisor, text.removeprefix("css="))
        if len(nodes) == 1:
            return PlacedLine(nodes[0], OutlineLine(depth=0, role="element"))
        page = await read_lines(supervisor)
    matches = await _matches(supervisor, text, page.lines, CANDIDATES, of_fields=of_fields)
    if not matches:
        await check_no_dialog(supervisor)
        raise NotLocated(text, _listed(supervisor, near(page.lines, text)), page.unread)
    if len(matches) > 1:
        raise AmbiguousLocator(text, len(matches), _listed(supervisor, matches))
    return matches[0]


async def _matches(
    supervisor: AsyncSupervisor,
    text: str,
    page: Sequence[PlacedLine],
    most: int,
    *,
    in_order: bool = False,
    of_fields: bool = False,
) -> Sequence[PlacedLine]:
    """The elements that a locator without a position means, at most `most` of a CSS selector in each frame."""
    if not text.startswith("css="):
        return meant(page, text, in_order=in_order, of_fields=of_fields)
    lines = {place.node: place for place in page}
    nodes = await _selected(supervisor, text.removeprefix("css="), most)
    return [lines.get(node) or PlacedLine(node, OutlineLine(depth=0, role="element")) for node in nodes]


async def _selected(supervisor: AsyncSupervisor, selector: str, most: int = CANDIDATES) -> list[Node]:
    script = _SELECT % (most, json.dumps(selector))

    async def look(frame: FrameInfo) -> list[Node]:
        try:
            return [Node(frame.frame_id, frame.loader_id, node) for node in await nodes_in(supervisor, frame, script)]
        except EvaluationFailed:
            raise _bad_selector() from None
        except CDPError:  # a frame that does not answer shows nothing
            return []

    frames = all_frames(supervisor.snapshot().frame_tree)
    return [node for nodes in await asyncio.gather(*map(look, frames)) for node in nodes]


def _bad_selector() -> InvalidArgument:
    return InvalidArgument("ref", "the text after css= is not a valid CSS selector")


def meant(
    page: Sequence[PlacedLine], text: str, *, in_order: bool = False, of_fields: bool = False
) -> list[PlacedLine]:
    """The elements that a text means. Several are a choice for the caller. `in_order`, those that it means less well
    follow: a position may be one of theirs. With `of_fields`, see `refs_for`."""
    for role, name in _readings(text):
        searched = _without_parts_of_dates(page) if role == "label=" else page
        fitting = [place for place in searched if _has_role(place.line, role)]
        whole = [place for place in fitting if name in _names(place.line)]
        partly = [place for place in fitting if name and any(_is_part(name, shown) for shown in _names(place.line))]
        named = whole or partly
        if of_fields:
            taking = [[place for place in places if _takes_values(place.line)] for places in (whole, partly)]
            named = taking[0] or taking[1] or named
        if named:
            best = [place for place in named if place.line.is_interactive] or named
            return list(
                {place.node: place for place in (*best, *named, *partly)[: None if in_order else len(best)]}.values()
            )
    return []


def _is_part(name: str, shown: str) -> bool:
    """Return True where a name has these words as a whole: "Task 31" is no part of "Task 3123"."""
    start = shown.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_goes_on(shown[start - 1 : start], name[0]) or _goes_on(name[-1], shown[end : end + 1])):
            return True
        start = shown.find(name, start + 1)
    return False


def _goes_on(letter: str, after: str) -> bool:
    """Return True for two letters of one word, or two digits of one number; scripts without cases have no blanks."""
    return (letter.isdigit() and after.isdigit()) or (letter != letter.upper() and after != after.upper())


def _without_parts_of_dates(page: Iterable[PlacedLine]) -> Iterator[PlacedLine]:
    """Leave out what is inside a date field: a spinbutton "Month" there is a part of a field, and no field."""
    field: PlacedLine | None = None
    for place in page:
        if field is not None and place.node.frame_id == field.node.frame_id and place.line.depth > field.line.depth:
            continue
        field = place if place.line.role in DATES else None
        yield place


def near(page: Iterable[PlacedLine], text: str) -> list[PlacedLine]:
    """Elements that can be used and have the role or a word of the text; all of them where none has."""
    role, name = next(_readings(text))
    words = set(re.findall(r"\w+", name))
    usable = [place for place in page if place.line.is_interactive]
    alike = [place for place in usable if words.intersection(re.findall(r"\w+", " ".join(_names(place.line))))]
    return alike or [place for place in usable if role and _has_role(place.line, role)] or usable


def _readings(text: str) -> Iterator[tuple[str, str]]:
    """A role, which may be empty, and a name as a line shows it; then the text as nothing but a name."""
    match = _NAMED.fullmatch(text.strip())
    if text.startswith("label="):
        yield "label=", _plain(quoted(text.removeprefix("label=")))
    elif match is not None:
        yield (match[1] or "").casefold(), _plain(quoted(re.sub(r'\\(["\\])', r"\1", match[2])))
    yield "", _plain(quoted(text))


def _has_role(line: OutlineLine, role: str) -> bool:
    return not role or (line.is_field if role == "label=" else line.role.casefold() == role)


def _takes_values(line: OutlineLine) -> bool:
    return line.is_field or line.role in _CHOICES or " [popup=listbox]" in line.tail


def _names(line: OutlineLine) -> tuple[str, ...]:
    return (_plain(line.name), _plain(line.content)) if line.content else (_plain(line.name),)


def _plain(shown: str) -> str:
    return shown[1:-1].casefold()


def _listed(supervisor: AsyncSupervisor, places: Sequence[PlacedLine]) -> str:
    """The elements as lines of a snapshot, each with its ref and the row that it is in."""
    lines: list[str] = []
    for place in places[:CANDIDATES]:
        read = place.line.read
        row = f" in {quoted(read.row_text)}" if read is not None and read.row_text else ""
        lines.append(f"{place.line.head} [ref={_ref(supervisor, place)}]{place.line.rest}{row}")
    more = len(places) - CANDIDATES
    return "\n".join([*lines, f"{more} more"] if more > 0 else lines)


def _ref(supervisor: AsyncSupervisor, place: PlacedLine) -> str:
    refs = refs_of(supervisor)
    ref = refs.name(place.node)
    refs.saw(place.node, place.line.read)
    return ref
