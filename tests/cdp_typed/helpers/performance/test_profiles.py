"""CPU profiles and coverage summed up, without a browser."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT
from cdp_typed.helpers.shared.performance.code_coverage import (
    CodeCoverage,
    CoverageRecording,
    FileCoverage,
    coverage_of,
)
from cdp_typed.helpers.shared.performance.cpu_profile import CpuRecording, FunctionTime, profile_of
from cdp_typed.protocol import css, profiler, runtime
from cdp_typed.protocol.ids import StyleSheetId
from cdp_typed.wire.decoding import decode


def node(number: int, name: str, *children: int) -> profiler.ProfileNode:
    frame = runtime.CallFrame(
        function_name=name,
        script_id=runtime.ScriptId("1"),
        url="a.js" if name.isalpha() else "",
        line_number=4,
        column_number=0,
    )
    return profiler.ProfileNode(id=number, call_frame=frame, children=children)


def test_a_function_has_the_time_of_its_own_and_of_those_that_it_called() -> None:
    recorded = profiler.Profile(
        nodes=(
            node(1, "(root)", 2, 6),
            node(2, "outer", 3),
            node(3, "inner", 4),
            node(4, "outer", 5),
            node(5, "inner"),
            node(6, "(idle)"),
        ),
        start_time=0,
        end_time=90_000,
        samples=(2, 3, 5, 6, 6),
        time_deltas=(10_000, 20_000, 30_000, 25_000, 5_000),
    )

    profile = profile_of(recorded)

    assert (profile.duration_ms, profile.idle_ms) == (90, 30)
    assert profile.functions == [
        FunctionTime(function="inner", url="a.js", line=5, self_ms=50, total_ms=50),
        FunctionTime(function="outer", url="a.js", line=5, self_ms=10, total_ms=60),
    ]


def test_scripts_of_this_library_count_apart_with_the_functions_of_the_browser_that_they_called() -> None:
    def of(number: int, name: str, url: str, *children: int) -> profiler.ProfileNode:
        made = node(number, name, *children)
        return replace(made, call_frame=replace(made.call_frame, url=url))

    recorded = profiler.Profile(
        nodes=(
            of(1, "(root)", "", 2, 6),
            of(2, "look", OWN_SCRIPT, 3, 4),
            of(3, "querySelectorAll", ""),
            of(4, "handler", "a.js", 5),  # which an event of ours called
            of(5, "querySelectorAll", ""),
            replace(node(6, ""), call_frame=replace(node(6, "").call_frame, line_number=-1)),
        ),
        start_time=0,
        end_time=100_000,
        samples=(2, 3, 4, 5, 6),
        time_deltas=(10_000, 20_000, 30_000, 25_000, 5_000),
    )

    profile = profile_of(recorded)

    assert profile.own_ms == 30
    assert [(each.function, each.self_ms, each.total_ms) for each in profile.functions] == [
        ("handler", 30, 55), ("querySelectorAll", 25, 25)
    ]  # fmt: skip


def script(url: str, *ranges: tuple[int, int, int]) -> profiler.ScriptCoverage:
    functions = tuple(
        profiler.FunctionCoverage(
            function_name="",
            ranges=(profiler.CoverageRange(start_offset=start, end_offset=end, count=count),),
            is_block_coverage=True,
        )
        for start, end, count in ranges
    )
    return profiler.ScriptCoverage(script_id=runtime.ScriptId("1"), url=url, functions=functions)


@pytest.mark.parametrize(
    ("ranges", "unused"),
    [
        ([(0, 100, 1)], 0),
        ([(0, 100, 0)], 100),
        ([(0, 100, 1), (10, 30, 0)], 20),
        ([(0, 100, 1), (10, 30, 0), (30, 50, 1), (50, 60, 0)], 30),
        ([(0, 100, 1), (10, 60, 0), (20, 30, 2)], 40),
        ([(0, 100, 1), (10, 10, 0), (90, 100, 0)], 10),
    ],
)
def test_the_innermost_range_says_whether_code_ran(ranges: list[tuple[int, int, int]], unused: int) -> None:
    (file,) = coverage_of([script("a.js", *ranges)], {}, []).files

    assert (file.size, file.unused) == (100, unused)


def test_files_are_summed_up_by_address() -> None:
    data = b'{"styleSheetId": "s", "sourceURL": "a.css", "origin": "regular", "length": 50}'
    sheet = decode(css.CSSStyleSheetHeader, data, method="", drift=lambda _: None)
    rules = [
        css.RuleUsage(style_sheet_id=StyleSheetId("s"), start_offset=start, end_offset=end, used=used)
        for start, end, used in [(0, 10, True), (5, 20, True), (20, 40, False)]
    ]
    scripts = [script("a.js", (0, 40, 0)), script("a.js", (0, 10, 1)), script("", (0, 99, 0))]

    assert coverage_of(scripts, {"s": sheet}, rules) == CodeCoverage(
        js_size=50,
        js_unused=40,
        css_size=50,
        css_unused=30,
        files=[
            FileCoverage(url="a.js", kind="js", size=50, unused=40),
            FileCoverage(url="a.css", kind="css", size=50, unused=30),
        ],
    )


def test_both_are_read_after_their_blocks_only() -> None:
    with pytest.raises(RuntimeError, match="still recorded"):
        _ = CpuRecording().summary
    with pytest.raises(RuntimeError, match="still counted"):
        _ = CoverageRecording().summary
