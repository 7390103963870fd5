"""`CpuProfile`: which functions took a page's time."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT
from cdp_typed.protocol import profiler, runtime

from .page_text import PageText

_IDLE = "(idle)"
_FRAMES_OF_V8 = frozenset({"(root)", "(program)", _IDLE})


class FunctionTime(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function in a profile."""

    function: PageText = ""
    """Empty for a function without a name."""
    url: PageText = ""
    line: int = 0
    """From 1."""
    self_ms: float
    """Time in the function itself, without the functions that it called."""
    total_ms: float
    """Time in the function, including the functions that it called."""


class CpuProfile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The functions that ran longest, by a sample of the running script every millisecond."""

    duration_ms: float
    idle_ms: float = 0
    own_ms: float = 0
    """The time of scripts of this library, such as those of a snapshot. They are not among the functions."""
    functions: list[FunctionTime] = []
    """At most twenty, ordered by `self_ms`."""


def profile_of(recorded: profiler.Profile) -> CpuProfile:
    """Summarise a profile."""
    own: dict[int, float] = {}
    for node_id, us in zip(recorded.samples or (), recorded.time_deltas or (), strict=False):
        own[node_id] = own.get(node_id, 0.0) + max(0, us) / 1000
    nodes = {node.id: node for node in recorded.nodes}
    parents = {child: node.id for node in recorded.nodes for child in node.children or ()}
    ours = {node_id for node_id in nodes if _source_of(node_id, nodes, parents) == OWN_SCRIPT}
    sums: dict[tuple[str, str, int], tuple[float, float]] = {}
    idle = 0.0
    for node_id, ms in own.items():
        node = nodes[node_id]
        idle += ms if node.call_frame.function_name == _IDLE else 0.0
        seen: set[tuple[str, str, int]] = set()
        at: int | None = node_id
        while at is not None:  # once for each function, also where it calls itself
            frame = nodes[at].call_frame
            key = (frame.function_name, frame.url, frame.line_number + 1)
            is_of_page = frame.function_name not in _FRAMES_OF_V8 and at not in ours and _is_named(frame)
            if key not in seen and is_of_page:
                before, total = sums.get(key, (0.0, 0.0))
                sums[key] = (before + (ms if at == node_id else 0.0), total + ms)
            seen.add(key)
            at = parents.get(at)
    busiest = sorted(sums.items(), key=lambda item: (-item[1][0], -item[1][1]))[:20]
    return CpuProfile(
        duration_ms=round((recorded.end_time - recorded.start_time) / 1000, 1),
        idle_ms=round(idle, 1),
        own_ms=round(sum(ms for node_id, ms in own.items() if node_id in ours), 1),
        functions=[
            FunctionTime(function=name, url=url, line=line, self_ms=round(self_ms, 1), total_ms=round(total_ms, 1))
            for (name, url, line), (self_ms, total_ms) in busiest
        ],
    )


def _is_named(frame: runtime.CallFrame) -> bool:
    """Whether a reader can identify the function. Chromium 156 lists one without a name and a script."""
    return bool(frame.function_name or frame.url) or frame.line_number >= 0


def _source_of(node_id: int, nodes: Mapping[int, profiler.ProfileNode], parents: Mapping[int, int]) -> str:
    """The URL of the script that a node belongs to; a function of the browser belongs to its caller."""
    at: int | None = node_id
    while at is not None:
        if nodes[at].call_frame.url:
            return nodes[at].call_frame.url
        at = parents.get(at)
    return ""


class CpuRecording:
    """A profile, complete once the block of `cpu_profile` has ended."""

    def __init__(self) -> None:
        self._recorded: profiler.Profile | None = None

    def complete(self, recorded: profiler.Profile) -> None:
        """Store the browser's recording; `cpu_profile` calls this."""
        self._recorded = recorded

    @property
    def recorded(self) -> profiler.Profile:
        """The profile of the browser. Raises `RuntimeError` during the recording."""
        if self._recorded is None:
            raise RuntimeError("the profile is still recorded; read it after the block")
        return self._recorded

    @property
    def data(self) -> bytes:
        """The profile as JSON, a `.cpuprofile` of the developer tools. Raises as `recorded` does."""
        return msgspec.json.encode(self.recorded)

    @property
    def summary(self) -> CpuProfile:
        """The functions that ran longest. Raises as `recorded` does."""
        return profile_of(self.recorded)
