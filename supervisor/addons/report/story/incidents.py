"""The obstacles of pages: dialogs, dialog storms, and other blockers."""

from __future__ import annotations

from supervisor.addons.report.model import BlockerSpan, DialogSpan, StormSpan
from supervisor.addons.report.report_events import ReportEvent, Spans, cut
from supervisor.core.snapshot import snapshot
from supervisor.core.state.dialogs import PendingAnswer
from supervisor.core.vocabulary.values import Blocker, DialogRecord, PendingDialog


class DialogSpans:
    """Collects dialogs, from the opening to the record."""

    def __init__(self) -> None:
        self._spans = Spans[DialogSpan]()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        before, after = moment.before.world.dialogs, moment.world.dialogs
        if after.open is before.open and after.closed is before.closed:
            return
        for dialog in after.open:
            if dialog.info.id not in self._spans.open:
                self._begin(dialog.info, moment)
            self._note_call(dialog.info.id, dialog.pending_answer)
        known = {closed.record.id: closed for closed in before.closed}
        for closed in after.closed:
            if known.get(closed.record.id) is not closed:
                self._close(closed.record, moment)
                self._note_call(closed.record.id, closed.pending_answer)

    def _note_call(self, dialog_id: str, answer: PendingAnswer | None) -> None:
        if answer is not None and answer.call_id:
            self._spans.update(dialog_id, call=answer.call_id)

    def _begin(self, dialog: PendingDialog | DialogRecord, moment: ReportEvent) -> None:
        span = DialogSpan(
            id=dialog.id,
            type=dialog.type,
            message=cut(dialog.message),
            default_prompt=dialog.default_prompt if isinstance(dialog, PendingDialog) else "",
            url=cut(dialog.url),
            frame_id=dialog.frame_id,
            page=dialog.target_id,
            input=moment.index,
            time=moment.time,
            end=None,
            end_input=None,
            closed_by="",
            accepted=None,
            user_input="",
            rule_id=None,
            bridged=dialog.bridged,
            note=dialog.note,
            call="",
        )
        self._spans.begin(dialog.id, span)

    def _close(self, record: DialogRecord, moment: ReportEvent) -> None:
        """A record may be corrected when the answer to a dialog is confirmed: ids are never used twice."""
        current = self._spans.current(record.id)
        if current is None:
            self._begin(record, moment)
        is_first = current is None or current.end is None
        when = {"end": moment.time, "end_input": moment.index} if is_first else {}
        self._spans.update(
            record.id,
            closed_by=record.closed_by,
            accepted=record.accepted,
            user_input=record.user_input,
            rule_id=record.rule_id,
            note=record.note,
            **when,
        )

    def spans(self) -> list[DialogSpan]:
        """All that was collected."""
        return self._spans.all


class BlockerSpans:
    """Collects blockers."""

    def __init__(self) -> None:
        self._spans = Spans[BlockerSpan]()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        before, after = moment.before.world, moment.world
        if after.blockers is before.blockers and after.targets is before.targets:
            return
        present: dict[str, Blocker] = {blocker.id: blocker for blocker in snapshot(moment.after).blockers}
        for gone in self._spans.open - present.keys():
            self._spans.end(gone, end=moment.time, end_input=moment.index)
        for key, blocker in present.items():
            if key in self._spans.open:
                self._spans.update(key, text=cut(blocker.text))
                continue
            span = BlockerSpan(
                id=key,
                kind=blocker.kind,
                text=cut(blocker.text),
                url=cut(blocker.url),
                page=blocker.target_id,
                input=moment.index,
                time=moment.time,
                end=None,
                end_input=None,
            )
            self._spans.begin(key, span)

    def spans(self) -> list[BlockerSpan]:
        """All that was collected."""
        return self._spans.all


class StormSpans:
    """Collects dialog storms."""

    def __init__(self) -> None:
        self._spans = Spans[StormSpan]()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        limit = moment.world.dialogs.rate_limit
        if limit is moment.before.world.dialogs.rate_limit:
            return
        storms = {storm.target_id: storm for storm in limit.storms}
        for gone in self._spans.open - storms.keys():
            self._spans.end(gone, end=moment.time, end_input=moment.index)
        for page, storm in storms.items():
            if page in self._spans.open:
                self._spans.update(page, count=storm.count)
            else:
                span = StormSpan(
                    page=page,
                    count=storm.count,
                    input=moment.index,
                    time=moment.time,
                    end=None,
                    end_input=None,
                )
                self._spans.begin(page, span)

    def spans(self) -> list[StormSpan]:
        """All that was collected."""
        return self._spans.all
