"""The tree of a page or an element with boxes and whole addresses, for `browser_inspect`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.boxes import box_of
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.lines.line_texts import with_surroundings
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.outline import read_tree
from supervisor.tools.page.outline_parts import TreeLine

MATCH_TIMEOUT_S = 5.0
"""The time that a regular expression has for all lines."""

# A program, because an expression such as (a+)+b can take for ever, and would hold up every thread of this one.
_MATCH = """
import json, re, sys
pattern, lines = json.load(sys.stdin)
try:
    found = re.compile(pattern, re.IGNORECASE)
except re.error as error:
    json.dump(str(error), sys.stdout)
else:
    json.dump([number for number, line in enumerate(lines) if found.search(line)], sys.stdout)
"""


class Tree(Struct, frozen=True):
    """The lines of a tree that fit, and the number of the others."""

    text: str
    lines_left: int


async def tree_of(
    supervisor: AsyncSupervisor, named: str | None, depth: int | None, pattern: str | None, most_characters: int
) -> Tree:
    """Return the lines of the page, or of an element: role, name, ref, states, address, and box in the page's viewport.

    `depth` is the number of levels. With `pattern`, only lines that the regular expression matches are shown, with
    those that they are in. Raises `InvalidArgument` for a wrong one, and what `refs_for` and `read_tree` raise.
    """
    ref = None if named is None else (await refs_for(supervisor, [named]))[0]
    lines = await read_tree(supervisor, ref)
    if depth is not None:
        lines = tuple(line for line in lines if line.depth < depth)
    if pattern is not None:
        texts = [line.text for line in lines]
        lines = tuple(lines[number] for number in with_surroundings(texts, await _matching(pattern, texts)))
    shown, size = list[str](), 0
    for start in range(0, len(lines), _TOGETHER):
        for text in await asyncio.gather(*(_with_box(supervisor, line) for line in lines[start : start + _TOGETHER])):
            size += len(text) + 1
            if shown and size > most_characters:
                return Tree("\n".join(shown), len(lines) - len(shown))
            shown.append(text)
    return Tree("\n".join(shown), 0)


_TOGETHER = 100
"""Boxes that are measured at a time."""


async def _with_box(supervisor: AsyncSupervisor, line: TreeLine) -> str:
    if line.element is None:
        return line.text
    with suppress(ElementError, CDPError):  # it is not displayed, or gone
        box = await box_of(supervisor, line.element)
        numbers = (box.left, box.top, box.right - box.left, box.bottom - box.top)
        return f"{line.text} [box={','.join(f'{round(number, 1):g}' for number in numbers)}]"
    return line.text


async def _matching(pattern: str, texts: Sequence[str]) -> list[int]:
    """The numbers of the lines that the regular expression matches. Raises `InvalidArgument`."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-c", _MATCH, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        text, _ = await asyncio.wait_for(program.communicate(json.dumps([pattern, texts]).encode()), MATCH_TIMEOUT_S)
    except TimeoutError:
        raise InvalidArgument("find", f"the regular expression takes longer than {MATCH_TIMEOUT_S:g} s") from None
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    found: list[int] | str = json.loads(text)
    if isinstance(found, str):
        raise InvalidArgument("find", f"no regular expression: {found}")
    return found
