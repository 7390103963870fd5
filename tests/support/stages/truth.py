"""A browser's pages and frames, read over a connection that enables nothing; a supervisor's snapshot must agree."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cdp_typed import CDPError, Connection, EndpointError, connect
from cdp_typed.protocol import page, target
from supervisor import CDPSupervisor, FrameInfo, SupervisorSnapshot

SETTLES_WITHIN_S = 10.0
ANSWERS_WITHIN_S = 1.0
"""The deadline for a target's frame tree, which a target that a dialog or a script holds up misses."""

MAX_FRAMES = 30
MAX_OOPIF_DEPTH = 2
"""The caps of a snapshot."""


NOT_SAID = ("", ":")
"""`Page.Frame.url` before a frame's first document of a process; every frame begins with `about:blank`."""


@dataclass(frozen=True)
class SeenFrame:
    """A frame, by what the browser and a snapshot both say of it."""

    frame_id: str
    parent_id: str | None
    url: str
    name: str
    loader_id: str
    is_oopif: bool


@dataclass
class Seen:
    """The pages and frames that the browser has."""

    pages: dict[str, str] = field(default_factory=dict[str, str])
    """Their URLs, by target id."""
    oopifs: set[str] = field(default_factory=set[str])
    frames: dict[str, SeenFrame] = field(default_factory=dict[str, SeenFrame])
    tops: dict[str, str] = field(default_factory=dict[str, str])
    """The top frames of pages that told their frames, by target id. (Of one that was prerendered it is another id.)"""
    silent: set[str] = field(default_factory=set[str])
    """Targets that did not tell their frames."""


def assert_snapshot_is_true(supervisor: CDPSupervisor, cdp_url: str, *, sees_all: bool = True) -> None:
    """Wait until a supervisor that runs says what its browser says, and fail with the differences if it never does.

    With `sees_all` it minds every page. A browser that is gone says nothing.
    """
    give_up = time.monotonic() + SETTLES_WITHIN_S
    while supervisor.is_running and supervisor.snapshot().state == "ready":
        try:
            seen = asyncio.run(_look(cdp_url))
        except (EndpointError, CDPError):
            return
        differences = list(_differences(seen, supervisor.snapshot(), sees_all=sees_all))
        if not differences:
            return
        assert time.monotonic() < give_up, "the snapshot is not what is there:\n" + "\n".join(differences)
        time.sleep(0.05)


async def _look(cdp_url: str) -> Seen:
    seen = Seen()
    async with connect(cdp_url) as browser:
        infos = (await browser.send(target.GetTargets())).target_infos
        pages = [info for info in infos if info.type == "page" and not info.subtype]
        iframes = [info for info in infos if info.type == "iframe"]
        seen.pages = {info.target_id: info.url for info in pages}
        seen.oopifs = {info.target_id for info in iframes}
        trees = await asyncio.gather(*(_tree(browser, info.target_id) for info in (*pages, *iframes)))
    for info, tree in zip((*pages, *iframes), trees, strict=True):
        if tree is None:
            seen.silent.add(info.target_id)
        else:
            frames = list(_flat(tree, seen.oopifs))
            seen.frames.update({frame.frame_id: frame for frame in frames})
            if info.target_id in seen.pages:
                seen.pages[info.target_id], seen.tops[info.target_id] = frames[0].url, frames[0].frame_id
    return seen


async def _tree(browser: Connection, target_id: str) -> page.FrameTree | None:
    try:
        session = await browser.attach(target_id)
        return (await session.send(page.GetFrameTree(), timeout=ANSWERS_WITHIN_S)).frame_tree
    except CDPError:
        return None


def _flat(tree: page.FrameTree, oopifs: set[str]) -> Iterator[SeenFrame]:
    frame = tree.frame
    yield SeenFrame(
        frame_id=frame.id,
        parent_id=frame.parent_id,
        url="about:blank" if frame.url in NOT_SAID else frame.url + (frame.url_fragment or ""),
        name=frame.name or "",
        loader_id=frame.loader_id,
        is_oopif=frame.id in oopifs,
    )
    for child in tree.child_frames or ():
        yield from _flat(child, oopifs)


def _differences(seen: Seen, now: SupervisorSnapshot, *, sees_all: bool) -> Iterator[str]:
    told = {info.target_id: info for info in now.pages}
    for target_id in told.keys() - seen.pages.keys():
        yield f"page {told[target_id].url} is told and not there"
    for target_id, url in seen.pages.items():
        info = told.get(target_id)
        if info is None:
            if sees_all:
                yield f"page {url} is there and not told"
        elif info.status == "ok" and target_id not in seen.silent and info.url != url:
            yield f"page {url} is told as {info.url}"
    current = next((info for info in now.pages if info.is_current), None)
    if current is not None and current.status == "ok" and current.target_id in seen.tops:
        yield from _frame_differences(seen, now, seen.tops[current.target_id])


def _frame_differences(seen: Seen, now: SupervisorSnapshot, top: str) -> Iterator[str]:
    shown = {frame.frame_id: frame for frame in (now.frame_tree.top, *now.frame_tree.children) if frame is not None}
    there = {key: frame for key, frame in seen.frames.items() if _path(frame, seen.frames)[-1].frame_id == top}
    is_complete = seen.silent.isdisjoint(shown)
    if is_complete and now.frame_tree.total != len(there):
        yield f"{len(there)} frames are there, and {now.frame_tree.total} are told"
    allowed = [key for key in there if sum(frame.is_oopif for frame in _path(there[key], there)) <= MAX_OOPIF_DEPTH]
    if len(allowed) <= MAX_FRAMES + 1:
        for key in set(allowed) - shown.keys():
            yield f"{there[key]} is there and not told"
    for key, frame in shown.items():
        if key in there and _as_seen(frame) != there[key]:
            yield f"{there[key]} is told as {_as_seen(frame)}"
        elif key not in there and is_complete:
            yield f"{_as_seen(frame)} is told and not there"


def _path(frame: SeenFrame, frames: Mapping[str, SeenFrame]) -> list[SeenFrame]:
    """The frame and those around it, as far as they told of themselves."""
    path = [frame]
    while path[-1].parent_id is not None and path[-1].parent_id in frames:
        path.append(frames[path[-1].parent_id])
    return path


def _as_seen(frame: FrameInfo) -> SeenFrame:
    return SeenFrame(frame.frame_id, frame.parent_id, frame.url, frame.name, frame.loader_id, frame.is_oopif)
