"""An accessibility audit by the library axe-core, which the user installs, in our own world of each frame."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError
from cdp_typed.spelling import did_you_mean
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, FrameTree
from supervisor.saved_state.named_files import FILES
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.object_groups import holding
from supervisor.tools.page.page_frames import find, owner_of, run, run_on, top_frame
from supervisor.tools.page.refs import Element

FILE = "CDP_AXE_FILE"
"""The variable that may name `axe.min.js`."""
_NAME = "axe.min.js"
MOST_ELEMENTS = 10
"""Elements that are shown of a rule."""

# The page cannot reach our own world. Without `preload`, axe-core loads no style sheet again.
_OPTIONS = {"preload": False, "resultTypes": ["violations"]}
_MARK = "function() { globalThis.cdpRoot = this; }"
_PART = """(async () => {
    const context = %s, options = %s, known = new Set(axe.getRules().flatMap(rule => rule.tags));
    const unknown = (options.runOnly?.values ?? []).find(tag => !known.has(tag));
    if (unknown !== undefined) return {unknown, known: [...known]};
    const frames = axe.utils.getFrameContexts(context, options);
    globalThis.cdpFrames = frames.map(each => axe.utils.shadowSelect(each.frameSelector));
    const part = JSON.stringify(await axe.runPartial(context, options));
    return {part, frames: frames.map(each => JSON.stringify(each.frameContext))};
})()"""
_INDEX = "function() { return globalThis.cdpFrames.indexOf(this) }"
_FINISH = """(async () => {
    const found = await axe.finishRun(%s.map(part => JSON.parse(part)), %s);
    return found.violations.map(rule => ({
        rule: rule.id, impact: rule.impact ?? '', help: rule.help, tags: rule.tags,
        elements: rule.nodes.map(node => node.target.flat().join(' ')),
    }));
})()"""
_END = "delete globalThis.cdpRoot, delete globalThis.cdpFrames, delete window.axe"


class NoAxe(ToolError):
    """axe-core is not installed, or its file cannot be read."""

    def __init__(self, problem: str = "") -> None:
        how = "npm install axe-core in this folder, or pip install axe-playwright-python"
        super().__init__(f"an audit needs axe-core: {problem or how}")


class AccessibilityProblem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule of axe-core that the page breaks."""

    rule: str
    impact: str = ""
    """minor, moderate, serious or critical."""
    help: str
    tags: list[str]
    """Such as wcag2a."""
    elements: list[PageText] = []
    """CSS selectors of the elements, at most 10. Those of an iframe begin with the selector of the iframe."""
    more: int = 0
    """Further elements."""


class Audit(Struct, frozen=True):
    """The problems of a page, and the iframes that could not be read."""

    problems: list[AccessibilityProblem]
    left_out: list[str]


async def audit(supervisor: AsyncSupervisor, named: str | None, tags: str | None) -> Audit:
    """Audit the page with its iframes, or an element, by all rules or those with one of the tags.

    Raises `NoAxe`, `InvalidArgument` for a tag that no rule has, what `refs_for` raises, and `BlockedByDialog`.
    """
    source = await asyncio.to_thread(_source)
    wanted = [tag for tag in (tags or "").replace(",", " ").split() if tag]
    options = json.dumps({**_OPTIONS, **({"runOnly": {"type": "tag", "values": wanted}} if wanted else {})})
    async with holding(supervisor):
        return await _audited(supervisor, named, source, options)


async def _audited(supervisor: AsyncSupervisor, named: str | None, source: str, options: str) -> Audit:
    tree, root, context = supervisor.snapshot().frame_tree, top_frame(supervisor), "document"
    if named is not None:
        element = find(supervisor, (await refs_for(supervisor, [named]))[0])
        root, context = element.frame, "globalThis.cdpRoot"
        await run_on(supervisor, element, _MARK)
    running = _Audit(supervisor, tree, source, options)
    try:
        parts = json.dumps(await running.parts(root, context))
        found: Sequence[Mapping[str, Any]] = await run(supervisor, root.frame_id, _FINISH % (parts, options))
    finally:
        await running.end()
    return Audit([_problem(each) for each in found], running.left_out)


def _source() -> str:
    path = next(_places(), None)
    if path is None:
        raise NoAxe
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise NoAxe(str(error)) from None


def _places() -> Iterator[Path]:
    """Where axe-core is: where the variable says, in `node_modules` of this folder or above, in a Python package."""
    if path := os.environ.get(FILE):
        yield Path(path)
    here = Path(os.environ.get(FILES, "")).absolute()  # of `cdp-agent` in its caller's folder
    package = find_spec("axe_playwright_python")  # which imports nothing
    folders = [folder / "node_modules" / "axe-core" for folder in (here, *here.parents)]
    folders += [Path(package.origin).parent] if package is not None and package.origin is not None else []
    yield from (folder / _NAME for folder in folders if (folder / _NAME).is_file())


def _problem(found: Mapping[str, Any]) -> AccessibilityProblem:
    elements: list[str] = found["elements"]
    shown = {key: found[key] for key in ("rule", "impact", "help", "tags")}
    return AccessibilityProblem(**shown, elements=elements[:MOST_ELEMENTS], more=max(0, len(elements) - MOST_ELEMENTS))


class _Audit:
    """One audit: its parts by frame, in the order in which axe-core joins them."""

    def __init__(self, supervisor: AsyncSupervisor, tree: FrameTree, source: str, options: str) -> None:
        self.left_out: list[str] = []
        self._supervisor = supervisor
        self._tree = tree
        self._source = source
        self._options = options
        self._begun: list[str] = []

    async def parts(self, frame: FrameInfo, context: str) -> list[str]:
        """The results of a frame and of those within it, as JSON; `null` for one that cannot be read."""
        self._begun.append(frame.frame_id)
        await run(self._supervisor, frame.frame_id, f"(() => {{ {self._source}\n}})()", is_ours=False)
        done = await run(self._supervisor, frame.frame_id, _PART % (context, self._options))
        if "unknown" in done:
            meant = did_you_mean(done["unknown"], done["known"], 1)
            raise InvalidArgument("find", f"no rule has this tag{meant or '; tags are such as wcag2a'}")
        children = await self._children(frame)
        parts: list[str] = [done["part"]]
        for number, inner in enumerate(done["frames"]):
            parts += ["null"] if number not in children else await self._parts_of_child(children[number], inner)
        return parts

    async def _parts_of_child(self, frame: FrameInfo, context: str) -> list[str]:
        try:
            return await self.parts(frame, context)
        except CDPError:
            self.left_out.append(frame.frame_id)
            return ["null"]

    async def _children(self, frame: FrameInfo) -> dict[int, FrameInfo]:
        """The frames within a frame, by the numbers that axe-core has given them."""
        found: dict[int, FrameInfo] = {}
        for child in self._tree.children:
            if child.parent_id != frame.frame_id:
                continue
            try:
                node = await owner_of(self._supervisor, child, frame)
                owner = Element(ref="", frame=frame, backend_node_id=node, tree=self._tree)
                found[await run_on(self._supervisor, owner, _INDEX)] = child
            except (CDPError, ElementError):
                self.left_out.append(child.frame_id)
        return found

    async def end(self) -> None:
        """Leave nothing of axe-core in the frames."""
        for frame_id in self._begun:
            try:
                await run(self._supervisor, frame_id, _END)
            except CDPError:  # the document is gone, or a dialog stops it
                continue
