"""Every input, as columns of numbers, with a table of the texts."""

from __future__ import annotations

from bisect import bisect_right

from .describe import kind_of, severity_of, subject_of, text_of
from .model import SEVERITIES, Inputs
from .report_events import ReportEvent


class _Table:
    """Texts, each of them once."""

    def __init__(self, *first: str) -> None:
        self.texts: list[str] = list(first)
        self._numbers: dict[str, int] = {text: number for number, text in enumerate(first)}

    def number(self, text: str) -> int:
        """The place of a text."""
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number


class Columns:
    """Collects the inputs."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._numbers: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        self._kinds, self._pages, self._texts = _Table(), _Table(""), _Table()

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        row = (
            self._kinds.number(kind_of(moment.received)),
            self._pages.number(subject_of(moment)),
            SEVERITIES.index(severity_of(moment)),
            self._texts.number(text_of(moment.received)),
        )
        self._times.append(moment.time)
        for column, number in zip(self._numbers, row, strict=True):
            column.append(number)

    def index_at(self, time: float) -> int:
        """The last input at or before this time; -1 before the first one."""
        return bisect_right(self._times, time) - 1

    def inputs(self) -> Inputs:
        """All that was collected."""
        kind, page, severity, text = self._numbers
        return Inputs(
            time=self._times,
            kind=kind,
            page=page,
            severity=severity,
            text=text,
            kinds=self._kinds.texts,
            pages=self._pages.texts,
            texts=self._texts.texts,
        )
