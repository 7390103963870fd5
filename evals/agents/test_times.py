"""The table of times: who is the quickest, and who has failed."""

from __future__ import annotations

from evals.agents.times import INITIALIZE, Sample, render


def test_a_server_that_failed_once_is_not_the_quickest() -> None:
    quick = [Sample(0.001, 10), Sample(0.001, 10), Sample(failure="not\ndone")]
    slow = [Sample(0.030, 1200), Sample(0.010, 1100), Sample(0.020, 1300)]

    lines = render({INITIALIZE: {"one": quick, "other": slow}}).splitlines()

    assert lines[2].split() == ["initialize", "failed", "20", "(1,200)", "other"]
    assert lines[3:] == ["initialize: one: not done"]
