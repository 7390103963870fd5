"""Lanes: the connection, pages (tabs) and their frames."""

from __future__ import annotations

from msgspec.structs import replace

from supervisor.core.state.frames import Frame
from supervisor.core.state.pages import Session

from .describe import LINE
from .model import ConnectionSpan, FrameLane, PageLane, StatusSpan, Stay, Visit
from .report_events import ReportEvent, Spans, cut

_THE_CONNECTION = "connection"


class ConnectionLane:
    """Collects the states of the connection."""

    def __init__(self) -> None:
        self._spans = Spans[ConnectionSpan]()
        self._spans.begin(
            _THE_CONNECTION, ConnectionSpan(input=-1, time=0.0, end=None, state="connecting", reason="", epoch=0)
        )

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        now, current = moment.world.connection, self._spans.current(_THE_CONNECTION)
        if current is None or (now.state, now.epoch) == (current.state, current.epoch):
            return
        self._spans.end(_THE_CONNECTION, end=moment.time)
        span = ConnectionSpan(
            input=moment.index, time=moment.time, end=None, state=now.state, reason=now.reason, epoch=now.epoch
        )
        self._spans.begin(_THE_CONNECTION, span)

    def spans(self) -> list[ConnectionSpan]:
        """All that was collected."""
        return self._spans.all


class PageLanes:
    """Collects pages and frames."""

    def __init__(self) -> None:
        self._pages = Spans[PageLane]()
        self._frames = Spans[FrameLane]()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        before, after = moment.before.world, moment.world
        if after.frames.nodes is not before.frames.nodes:
            self._see_frames(moment)
        if (
            after.targets is not before.targets
            or after.detached_frame_dialogs is not before.detached_frame_dialogs
            or after.page_ownership is not before.page_ownership
        ):
            self._see_pages(moment)

    def _see_pages(self, moment: ReportEvent) -> None:
        pages = {session.target_id: session for session in moment.world.targets.pages()}
        for gone in self._pages.open - pages.keys():
            statuses = _ended(self._page(gone).statuses, moment)
            self._pages.end(gone, end=moment.time, end_input=moment.index, statuses=statuses)
        for session in pages.values():
            self._see_page(session, moment)

    def _see_page(self, session: Session, moment: ReportEvent) -> None:
        key, status = session.target_id, moment.world.status(session)
        is_ours = key in moment.world.page_ownership.opened
        span = StatusSpan(input=moment.index, time=moment.time, end=None, status=status)
        if key not in self._pages.open:
            lane = PageLane(
                page=key,
                number=len(self._pages.all) + 1,
                title="",
                opener_id=session.opener_page_id,
                is_ours=is_ours,
                input=moment.index,
                time=moment.time,
                end=None,
                end_input=None,
                statuses=[span],
                frames=[],
            )
            self._pages.begin(key, lane)
        elif self._page(key).statuses[-1].status != status:
            self._pages.update(key, statuses=[*_ended(self._page(key).statuses, moment), span])
        if self._page(key).is_ours != is_ours:
            self._pages.update(key, is_ours=is_ours)

    def _page(self, key: str) -> PageLane:
        lane = self._pages.current(key)
        assert lane is not None
        return lane

    def _see_frames(self, moment: ReportEvent) -> None:
        before, after = moment.before.world.frames.nodes, moment.world.frames.nodes
        for gone in self._frames.open - after.keys():
            stays = _left(self._frame(gone).stays, moment)
            self._frames.end(gone, end=moment.time, end_input=moment.index, stays=stays)
        for frame in after.values():
            if before.get(frame.frame_id) is not frame:
                self._see_frame(frame, moment)

    def _see_frame(self, frame: Frame, moment: ReportEvent) -> None:
        key = frame.frame_id
        if key not in self._frames.open:
            lane = FrameLane(
                frame_id=key,
                parent_id=frame.parent_id,
                page=frame.page_id,
                name=frame.name,
                input=moment.index,
                time=moment.time,
                end=None,
                end_input=None,
                stays=[],
                visits=[],
            )
            self._frames.begin(key, lane)
        lane = self._frame(key)
        stays, visits = lane.stays, lane.visits
        if not stays or stays[-1].session_id != frame.session_id:
            stay = Stay(
                input=moment.index,
                time=moment.time,
                end=None,
                session_id=frame.session_id,
                is_oopif=frame.is_oopif,
            )
            stays = [*_left(stays, moment), stay]
        last = visits[-1] if visits else None
        if (frame.url or frame.loader_id) and (last is None or (last.url, last.loader_id) != _document(frame)):
            url, loader_id = _document(frame)
            visit = Visit(input=moment.index, time=moment.time, url=url, loader_id=loader_id)
            if last is not None and last.url == url and not last.loader_id:  # the same; its loader is known only now
                visits = [*visits[:-1], replace(last, loader_id=loader_id)]
            else:
                visits = [*visits, visit]
        self._frames.update(key, stays=stays, visits=visits, name=frame.name or lane.name)

    def _frame(self, key: str) -> FrameLane:
        lane = self._frames.current(key)
        assert lane is not None
        return lane

    def lanes(self) -> list[PageLane]:
        """All that was collected. Frames of a page that was never attached, if there are any, are left out."""
        lanes: list[PageLane] = []
        for lane in self._pages.all:
            frames = [frame for frame in self._frames.all if frame.page == lane.page and _overlaps(frame, lane)]
            frames.sort(key=lambda frame: frame.parent_id is not None)
            urls = [visit.url for frame in frames if frame.parent_id is None for visit in frame.visits]
            lanes.append(replace(lane, frames=frames, title=cut(urls[-1], LINE) if urls else ""))
        return lanes


def _document(frame: Frame) -> tuple[str, str]:
    return cut(frame.url), frame.loader_id


def _overlaps(frame: FrameLane, lane: PageLane) -> bool:
    """A page that came back has a lane for each time."""
    has_begun = lane.end_input is None or frame.input <= lane.end_input
    return has_begun and (frame.end_input is None or frame.end_input >= lane.input)


def _ended(spans: list[StatusSpan], moment: ReportEvent) -> list[StatusSpan]:
    return [*spans[:-1], *(replace(span, end=moment.time) for span in spans[-1:])]


def _left(stays: list[Stay], moment: ReportEvent) -> list[Stay]:
    return [*stays[:-1], *(replace(stay, end=moment.time) for stay in stays[-1:])]
