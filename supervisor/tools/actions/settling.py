"""Waits until a page has reacted to an input, or has built a new document.

No page says whether more will follow, so `Settling` reads five signs of activity. None of them changes the page:

- Timers that the page set. All JavaScript worlds of a document share one counter, so our own timer shows its growth.
- Requests that began (`Resources` in `Performance.getMetrics`) and that ended (a `PerformanceObserver`).
- Changes of the document, seen by a `MutationObserver`.
- Finite animations that show, hide or move something.
- A busy state that the page itself declares: `aria-busy` or a progress bar.

Without a sign the wait ends at once. A change that the input itself made is no sign: it is complete.
A timer or a request gets `QUIET_S` to bring a change. When all requests have ended and a change came after that, or
a change came `TIMER_S` or more after the only timer, nothing more is expected. A request gets `ANSWER_S` while nothing
changes: a response that the page does not read never ends. Anything that moves is followed until it rests for `REST_S`,
and the answer to requests alone until it rests for two frames (`FRAMES_S`). A new document loads its
parts one after another: a request that has not ended keeps it waiting, until none began or ended for `ANSWER_S`, and
each part and each change of one with scripts gets `QUIET_S` to bring the next. The browser tells when the requests that
such a document made before the watch have ended (`networkIdle`).
After `LIMIT_S` the page counts as still changing; a new document that still loads parts, after `LOADING_S`. An element
that changed without end once, such as a ticker, gets only `QUIET_S` the next time.

An event listener is no sign: React listens to every click of a page. Performance stays enabled in the session of a page
that was acted on: it counts for each action, and two at once would take it from one another.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Literal, TypeAlias

from msgspec import Struct, ValidationError
from msgspec.structs import replace

from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError
from cdp_typed.protocol import page, performance, runtime
from supervisor.aio import AsyncSupervisor
from supervisor.tools.page.object_groups import note_in_front
from supervisor.tools.page.page_frames import hold, run, world_of
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import ACTION_BEGINS, ACTION_LEAVES
from supervisor.tools.page.scripts import unnamed_members

QUIET_S = 0.5
REST_S = 0.15
FRAMES_S = 0.05
TIMER_S = 0.1
"""A change that comes sooner after a timer was set is that of the input, which a page may draw a few frames late."""
ANSWER_S = 1.0
LIMIT_S = 3.0
LOADING_S = 8.0
POLL_S = 0.025
BEGIN_S = 1.0
"""A page that does not answer within this time is not watched."""
LEAVES_S = 15.0
"""Longer than looks at a page are ever apart."""
SILENT_S = 1.0
"""A page that answers nothing for so long after the limit still changes."""

BEGIN = """(() => {
    const kinds = {subtree: true, childList: true, attributes: true, characterData: true};
    if (globalThis.settling === undefined) {
        const take = setTimeout.bind(window);
        const it = globalThis.settling = {own: 0, restless: []};
        window.setTimeout = (...given) => { it.own += 1; return take(...given); };
        it.mark = () => { const id = take(() => 0); clearTimeout(id); it.own += 1; return id; };
        it.note = records => {
            for (const {target} of records) {
                it.changed.add(target);
                const isAgain = it.restless.some(nodes => nodes.has(target));
                it.isAgain ||= isAgain;
                it.isNew ||= !isAgain;
            }
            if (records.length) it.changedAt = performance.now();
        };
        it.changes = new MutationObserver(it.note);
        it.answers = new PerformanceObserver(list => {
            it.finished += list.getEntries().length;
            for (const entry of list.getEntries().filter(({startTime}) => startTime >= it.from)) {
                it.answered += 1;
                it.answeredAt = Math.max(it.answeredAt, entry.responseEnd);
            }
        });
        it.leaveIn = milliseconds => {
            clearTimeout(it.leaving);
            it.leaving = take(it.leave, milliseconds);
            it.own += 1;
        };
        it.leave = () => {
            it.changes.disconnect();
            it.answers.disconnect();
        };
        it.forget = () => {
            it.before = it.changed;
            it.changed = new WeakSet();
            it.isNew = it.isAgain = false;
        };
        it.busy = () => document.querySelectorAll('[aria-busy=true], [role=progressbar], progress').length;
        it.watch = root => {
            it.changes.observe(root, kinds);
            for (const node of root.querySelectorAll('*')) if (node.shadowRoot) it.watch(node.shadowRoot);
        };
    }
    const it = globalThis.settling;
    it.watch(document);
    it.answers.observe({type: 'resource'});
    it.finished = it.answered = it.answeredAt = 0;
    it.from = it.changedAt = performance.now();
    it.forget();
    it.leaveIn(60000);
    it.last = it.mark();
    it.own = 0;
    it.busyBefore = it.busy();
    const isScripted = [...document.scripts].some(script => !script.type || /module|javascript/.test(script.type));
    return [isScripted, document.visibilityState === 'visible'];
})()"""
"""A script: begins to watch a document, and returns whether that has scripts, and whether it is in front.

It keeps no node from being freed. A watch ends by itself, `LEAVES_S` after the last look: to end it would cost each
action a round trip. One that was never looked at, because a dialog opened or the action failed, ends a minute after it
began.
"""

_HANDLED = """new Promise(done => {
    requestAnimationFrame(() => setTimeout(() => done(0), 5));
    setTimeout(() => done(0), 100);
})"""
"""A script: ends when the page has drawn what came of the input, and has done what it put off until after that.

On Chromium 156 whatever a click sets off is known by then: a link that is followed, a form that is sent, a tab that
opens, a location that a script sets, and what a timer of no time does.
"""

_LOOK = """(() => {
    const it = globalThis.settling;
    const places = /^(transform|translate|rotate|scale|left|top|right|bottom|inset|margin|width|height|max|offset)/;
    const shows = /^(opacity|visibility|display|clip)/, isShown = key => places.test(key) || shows.test(key);
    const isMove = ({effect, playState}) => playState === 'running'
        && Number.isFinite(effect?.getComputedTiming().endTime)
        && effect.getKeyframes().some(frame => Object.keys(frame).some(isShown));
    it.note(it.changes.takeRecords());
    const change = it.isNew ? 'new' : it.isAgain ? 'again' : '', id = it.mark(), timers = id - it.last - it.own;
    it.forget();
    it.last = id;
    it.own = 0;
    it.leaveIn(LEAVES_MS);
    const isAfter = it.answered > 0 && it.changedAt >= it.answeredAt, age = (performance.now() - it.changedAt) / 1000;
    return {timers, finished: it.finished, answered: it.answered, isAfter, age, change,
        moves: document.getAnimations().some(isMove), busy: it.busy() > it.busyBefore};
})()""".replace("LEAVES_MS", f"{LEAVES_S * 1000:.0f}").replace("(() => {", f"(() => {{ {ACTION_LEAVES}", 1)

_LEAVE_RESTLESS = f"""(() => {{
    {ACTION_LEAVES}
    const it = globalThis.settling;
    it.restless = [...it.restless, it.before].slice(-50);
    it.leave();
}})()"""


class Sample(Struct, frozen=True, rename="camel"):
    """The signs of activity since the previous one."""

    timers: int = 0
    begun: int = 0
    """Requests, since the watch began."""
    finished: int = 0
    answered: int = 0
    """Those of `begun` that ended."""
    is_after: bool = False
    """The last change came after the last of these ended."""
    age: float = 0.0
    """Seconds since the last change."""
    change: Literal["new", "again", ""] = ""
    idle: bool = True
    """Nothing that a new document requested before the watch is under way."""
    moves: bool = False
    busy: bool = False


class Activity(Struct, frozen=True):
    """All activity so far. Times are in seconds since the page handled the input."""

    expects: bool = False
    """A timer was set, or a request begun."""
    timers: int = 0
    timer_at: float = 0.0
    """The last time that a timer was set."""
    is_answered: bool = False
    """What was expected has come."""
    awaits: bool = False
    """A request has not ended, and nothing has changed since."""
    from_before: int = 0
    """Requests that began before the watch, and ended during it."""
    loads: bool = False
    """A request has not ended."""
    requests: int = 0
    """Those that began, and those that ended."""
    request_at: float = 0.0
    """The last time that a request began or ended."""
    moved_at: float | None = None
    again_at: float | None = None
    """The last change of an element that changes without end."""


Stability: TypeAlias = Literal["wait", "rests", "moves"]


def updated(activity: Activity, sample: Sample, now: float, *, is_first: bool = False) -> Activity:
    """Add a sample to the activity. A change before the first sample belongs to the input, if it is no answer."""
    changes = sample.change == "new" and (sample.is_after or not is_first)
    moves = sample.moves or sample.busy or changes
    moved_at = (
        max(0.0, now - sample.age)
        if changes and not (sample.moves or sample.busy)
        else now
        if moves
        else activity.moved_at
    )
    requests, from_before = sample.begun + sample.finished, max(activity.from_before, sample.finished - sample.begun)
    timers, timer_at = activity.timers + max(0, sample.timers), now if sample.timers > 0 else activity.timer_at
    is_answer = sample.is_after and sample.begun <= sample.answered if sample.begun else True
    comes_of_timer = timers == 0 or (timers == 1 and moved_at is not None and moved_at - timer_at >= TIMER_S)
    return Activity(
        expects=activity.expects or sample.timers > 0 or sample.begun > 0,
        timers=timers,
        timer_at=timer_at,
        is_answered=moved_at is not None and timers + sample.begun > 0 and is_answer and comes_of_timer,
        awaits=sample.begun > sample.finished and moved_at is None,
        from_before=from_before,
        loads=sample.begun + from_before > sample.finished or not sample.idle,
        requests=requests,
        request_at=activity.request_at if requests == activity.requests else now,
        moved_at=moved_at,
        again_at=now if sample.change == "again" and not is_first else activity.again_at,
    )


def stability(activity: Activity, now: float, limit_s: float = LIMIT_S, *, is_new: bool = False) -> Stability:
    """Decide whether to wait, for a new document with `is_new`: it has `LIMIT_S` once it loads nothing more.

    `moves` means that the page still changes and the time is over.
    """
    is_done = activity.is_answered and not is_new
    rest_s = QUIET_S if is_new and activity.expects else FRAMES_S if is_done and activity.timers == 0 else REST_S
    is_loading = is_new and now - activity.request_at < (
        ANSWER_S if activity.loads else rest_s if activity.requests else 0
    )
    if is_loading or (activity.moved_at is not None and now - activity.moved_at < rest_s):
        return "wait" if now < (limit_s if is_loading or not is_new else min(limit_s, LIMIT_S)) else "moves"
    if (now < QUIET_S and activity.expects and not is_done) or (now < ANSWER_S and activity.awaits):
        return "wait"
    return "moves" if activity.again_at is not None and now - activity.again_at < REST_S else "rests"


class Settling:
    """Watches frames of a page; the first one gets the input."""

    def __init__(self, supervisor: AsyncSupervisor, *frame_ids: str) -> None:
        self._supervisor = supervisor
        self._frame_ids = tuple(dict.fromkeys(frame_ids))
        self._worlds: dict[str, runtime.ExecutionContextId] = {}
        self._resources: asyncio.Future[int | None] | None = None
        """How many there were at the beginning."""
        self.is_scripted: bool = False
        """Whether a document has scripts."""

    async def begin(self, limit_s: float | None = None, element: Element | None = None) -> None:
        """Begin to watch, and have this element of the first frame at hand for the functions that are run on it.

        A frame whose page shows a dialog, or does not answer in time (`BEGIN_S`), is left out.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BEGIN_S if limit_s is None else limit_s):
                await asyncio.gather(self._watch_counted(element), *map(self._watch, self._frame_ids[1:]))

    async def end(self, *, expects: bool = False, is_new: bool = False, limit_s: float = LIMIT_S) -> bool:
        """Wait until the page rests, and return whether it still changed at the limit.

        `expects` gives the page `QUIET_S` for a change that no sign announces, and `is_new` follows its requests.
        """
        moves = True
        try:
            with contextlib.suppress(TimeoutError):  # a script without end answers nothing
                async with asyncio.timeout(limit_s + SILENT_S):
                    moves = await self._rest(expects, limit_s, is_new=is_new)
        finally:
            if moves:
                await self._leave_restless()
        return moves

    async def _rest(self, expects: bool, limit_s: float, *, is_new: bool) -> bool:
        activity, began = Activity(expects=expects), None
        clock = asyncio.get_running_loop().time
        follows = is_new and expects and await self._is_told_when_idle()
        while self._worlds:
            sample = await self._look(is_first=began is None)
            if sample is None:
                return False
            if follows:
                sample = replace(sample, idle=self._is_idle())
            is_first, began = began is None, clock() if began is None else began
            now = clock() - began
            activity = updated(activity, sample, now, is_first=is_first)
            now_is = stability(activity, now, limit_s, is_new=is_new)
            if now_is != "wait":
                return now_is == "moves"
            await asyncio.sleep(POLL_S)
        return False

    async def _watch_counted(self, element: Element | None) -> None:
        """Watch the first frame, and count the requests of its page from then on, by Performance."""
        first = self._frame_ids[0]
        with contextlib.suppress(CDPError):  # one world for both that follow
            await world_of(self._supervisor, first)
        holding = () if element is None else (hold(self._supervisor, element),)
        await asyncio.gather(self._enable(), *holding, self._watch(first))
        # Last, so that what began is also noticed when it ends. Sent together, Chromium would count before the rest.
        # Nothing waits for the number: it is that of now, and not of the input that follows.
        self._resources = asyncio.ensure_future(self._count())

    async def _watch(self, frame_id: str) -> None:
        with contextlib.suppress(CDPError, ValidationError):  # its script failed
            told = await run(self._supervisor, frame_id, ACTION_BEGINS + BEGIN)
            self._worlds[frame_id] = await world_of(self._supervisor, frame_id)
            is_scripted, is_in_front = convert(told, tuple[bool, bool])
            self.is_scripted |= is_scripted
            if is_in_front:
                note_in_front(frame_id)

    async def _enable(self) -> None:
        with contextlib.suppress(CDPError):
            await self._supervisor.send(performance.Enable(), self._frame_ids[0])

    async def _count(self) -> int | None:
        """The requests of the page so far; None when the browser does not tell."""
        with contextlib.suppress(CDPError):
            told = await self._supervisor.send(performance.GetMetrics(), self._frame_ids[0])
            return next((int(metric.value) for metric in told.metrics if metric.name == "Resources"), None)
        return None

    async def _is_told_when_idle(self) -> bool:
        """Have the browser tell when the document has no request under way, also one that began before the watch."""
        with contextlib.suppress(CDPError):
            await self._supervisor.send(page.SetLifecycleEventsEnabled(enabled=True), self._frame_ids[0])
            return True
        return False

    def _is_idle(self) -> bool:
        return any(
            frame.frame_id == self._frame_ids[0] and frame.is_network_idle for frame in self._supervisor.frames()
        )

    async def _look(self, *, is_first: bool) -> Sample | None:
        """Sample at all frames; None when none of them answers any more."""
        expression = f"{_HANDLED}.then(() => {_LOOK})" if is_first else _LOOK
        frames = tuple(self._worlds.items())
        seen = await asyncio.gather(
            *(self._run(frame_id, world, expression) for frame_id, world in frames), return_exceptions=True
        )
        together = Sample()
        for (frame_id, _), one in zip(frames, seen, strict=True):
            try:
                together = _both(together, convert(one, Sample))
            except ValidationError:
                if not isinstance(one, CDPError | None):
                    raise
                del self._worlds[frame_id]
        if not self._worlds:
            return None
        return replace(together, begun=await self._begun())

    async def _begun(self) -> int:
        """The requests that began since then."""
        before = None if self._resources is None else await self._resources
        now = None if before is None else await self._count()
        return 0 if before is None or now is None else max(0, now - before)

    async def _leave_restless(self) -> None:
        ends = [self._run(frame_id, world, _LEAVE_RESTLESS) for frame_id, world in self._worlds.items()]
        with contextlib.suppress(TimeoutError):  # a busy page does it later
            async with asyncio.timeout(BEGIN_S):
                await asyncio.gather(*ends, return_exceptions=True)

    async def _run(self, frame_id: str, world: runtime.ExecutionContextId, expression: str) -> object:
        command = runtime.Evaluate(
            expression=unnamed_members.expression(expression),
            context_id=world,
            await_promise=True,
            return_by_value=True,
        )
        return (await self._supervisor.send(command, frame_id)).result.value


def _both(one: Sample, other: Sample) -> Sample:
    return Sample(
        timers=max(one.timers, 0) + max(other.timers, 0),
        finished=one.finished + other.finished,
        answered=one.answered + other.answered,
        is_after=any(seen.is_after for seen in (one, other) if seen.answered),
        age=min(seen.age for seen in (one, other) if seen.change) if one.change or other.change else 0.0,
        change="new" if "new" in (one.change, other.change) else one.change or other.change,
        moves=one.moves or other.moves,
        busy=one.busy or other.busy,
    )
