"""How a thread of a page spent its time: kinds of work, and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT

from .timeline import Ran

LEAST_US = 100.0
"""Shorter events count as a part of the event around them."""

_KINDS: Mapping[str, Sequence[str]] = {
    "scripting": (
        "EvaluateScript",
        "EventDispatch",
        "FireAnimationFrame",
        "FireIdleCallback",
        "FunctionCall",
        "MajorGC",
        "MinorGC",
        "RunMicrotasks",
        "TimerFire",
        "XHRLoad",
        "XHRReadyStateChange",
        "v8.compile",
        "v8.compileModule",
        "v8.evaluateModule",
    ),
    "rendering": ("HitTest", "Layerize", "Layout", "PrePaint", "UpdateLayerTree", "UpdateLayoutTree"),
    "painting": ("Commit", "Decode Image", "Paint", "PaintImage"),
    "loading": ("ParseAuthorStyleSheet", "ParseHTML"),
    "other": ("RunTask",),
}
KINDS: Mapping[str, str] = {name: kind for kind, names in _KINDS.items() for name in names}
"""The kind of work of an event, by the event's name."""

SCRIPTS = frozenset({"EvaluateScript", "FunctionCall", "v8.evaluateModule"})
_LAYOUTS = frozenset({"Layout", "UpdateLayoutTree"})


class Work(Struct, frozen=True):
    """An event with a duration, in microseconds."""

    start: float
    duration: float
    name: str
    url: str = ""
    function: str = ""


class MainThread(Struct, frozen=True):
    """The work of a thread, in milliseconds."""

    kinds: dict[str, float]
    scripts: tuple[Ran, ...]
    """Each function that was called from outside, all its calls together; the longest first."""


def main_thread_of(work: Sequence[Work]) -> MainThread:
    """Return a summary of a thread's work."""
    kinds: dict[str, float] = {}
    scripts: dict[tuple[str, str], tuple[float, float]] = {}
    for each, self_us, is_outer, forced_us in _nested(work):
        kind = KINDS[each.name]
        kinds[kind] = kinds.get(kind, 0.0) + self_us / 1000
        if is_outer and each.name in SCRIPTS and each.url != OWN_SCRIPT:
            total, forced = scripts.get((each.url, each.function), (0.0, 0.0))
            scripts[each.url, each.function] = (total + each.duration / 1000, forced + forced_us / 1000)
    return MainThread(kinds, tuple(_ran(scripts)))


def _ran(scripts: Mapping[tuple[str, str], tuple[float, float]]) -> Iterator[Ran]:
    longest = sorted(scripts.items(), key=lambda item: -item[1][0])
    return (Ran(url, function, "", total, forced) for (url, function), (total, forced) in longest)


class _Open:
    """An event whose end has not been reached."""

    def __init__(self, work: Work, *, in_script: bool) -> None:
        self.work = work
        self.in_script = in_script
        self.inner_us = 0.0
        self.forced_us = 0.0

    @property
    def end(self) -> float:
        return self.work.start + self.work.duration


def _nested(work: Sequence[Work]) -> Iterator[tuple[Work, float, bool, float]]:
    """Each event after those in it: with its time without them, whether it is in no script, and the time of layouts in
    it."""
    stack: list[_Open] = []

    def close() -> tuple[Work, float, bool, float]:
        done = stack.pop()
        if stack:
            around = stack[-1]
            around.inner_us += done.work.duration
            around.forced_us += done.work.duration if done.work.name in _LAYOUTS else done.forced_us
        return done.work, max(0.0, done.work.duration - done.inner_us), not done.in_script, done.forced_us

    for each in sorted(work, key=lambda one: (one.start, -one.duration)):
        while stack and stack[-1].end <= each.start:
            yield close()
        in_script = any(one.work.name in SCRIPTS for one in stack[-1:]) or (bool(stack) and stack[-1].in_script)
        stack.append(_Open(each, in_script=in_script))
    while stack:
        yield close()
