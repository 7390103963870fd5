"""The pure parts of the tools that see and touch pages: keys, geometry, words for what stands in the way."""

from __future__ import annotations

import sys
from math import cos, radians, sin

import pytest

from cdp_typed.errors import CDPError, TargetCrashed
from cdp_typed.helpers.shared.key_definitions import Key
from cdp_typed.protocol.accessibility import AXNode, AXNodeId, AXValue
from cdp_typed.protocol.dom import BoxModel, Quad
from cdp_typed.protocol.input import DispatchKeyEvent
from supervisor import (
    BlockedByDialog,
    BlockedByPrintPreview,
    Blocker,
    CallTimeout,
    FrameGone,
    NavigationInterrupted,
    PausedByDebugger,
    PendingDialog,
)
from supervisor.tools.actions.positions import parse
from supervisor.tools.page.document.accessibility_tree import lines
from supervisor.tools.page.document.element_line import OutlineLine, quoted
from supervisor.tools.page.element_errors import UnknownKey, say
from supervisor.tools.page.geometry import Box, Point, around, corners, through
from supervisor.tools.page.locators import near
from supervisor.tools.page.outline_parts import PlacedLine
from supervisor.tools.page.refs import Node

DIALOG = PendingDialog(
    id="d-1", type="alert", message="", default_prompt="", url="", frame_id="f", target_id="t", session_id="s",
    opened_at=0,
)  # fmt: skip
PAUSE = Blocker(
    id="b-1", kind="debugger", target_id="t", frame_id=None, session_id=None, url="", text="", since=0, ways_out=()
)


def model(border: list[float], content: list[float], width: int, height: int) -> BoxModel:
    outside: Quad = border
    return BoxModel(width=width, height=height, padding=outside, margin=outside, border=outside, content=content)


@pytest.mark.parametrize("bad", ["", "Hyper", "Hyper+a", "Control+", "ab", "Control+Nope"])
def test_what_is_no_key_is_refused(bad: str) -> None:
    with pytest.raises(UnknownKey, match="there is no key"):
        parse(bad)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("a", Key(key="a", code="KeyA", number=65, text="a")),
        ("A", Key(key="A", code="KeyA", number=65, modifiers=8, text="A")),
        ("Shift+a", Key(key="A", code="KeyA", number=65, modifiers=8, text="A")),
        ("Control+a", Key(key="a", code="KeyA", number=65, modifiers=2)),
        ("Ctrl+Shift+Tab", Key(key="Tab", code="Tab", number=9, modifiers=10)),
        ("Enter", Key(key="Enter", code="Enter", number=13, text="\r")),
        ("Control+Enter", Key(key="Enter", code="Enter", number=13, modifiers=2)),
        ("Esc", Key(key="Escape", code="Escape", number=27)),
        ("Space", Key(key=" ", code="Space", number=32, text=" ")),
        ("?", Key(key="?", code="Slash", number=191, modifiers=8, text="?")),
        ("+", Key(key="+", code="Equal", number=187, modifiers=8, text="+")),
        ("Control++", Key(key="+", code="Equal", number=187, modifiers=10)),
        ("5", Key(key="5", code="Digit5", number=53, text="5")),
        ("F11", Key(key="F11", code="F11", number=122)),
        ("ü", Key(key="ü", code="", number=0, text="ü")),
        ("Shift", Key(key="Shift", code="ShiftLeft", number=16, modifiers=8)),
    ],
)
def test_keys_and_their_modifiers(name: str, key: Key) -> None:
    assert parse(name) == key


def test_a_key_goes_down_and_up_and_types_only_on_its_way_down() -> None:
    def event(kind: str, text: object) -> DispatchKeyEvent:
        return DispatchKeyEvent(type=kind, key="a", code="KeyA", windows_virtual_key_code=65, modifiers=0, text=text)  # type: ignore[arg-type]  # literals

    assert list(parse("a").events()) == [event("keyDown", "a"), event("keyUp", None)]


def test_a_point_in_an_iframe_that_is_only_moved() -> None:
    """Its border box is 300.4 pixels wide, which the protocol calls 300: that is no scaling."""
    iframe = model([10, 20, 310.4, 20, 310.4, 120, 10, 120], [15, 25, 305.4, 25, 305.4, 115, 15, 115], 300, 100)
    assert through(iframe, Point(100, 50)) == Point(115, 75)

    without_size = model([5] * 8, [5] * 8, 0, 0)
    assert through(without_size, Point(3, 4)) == Point(5, 5)


def test_a_point_in_an_iframe_that_is_scaled_and_turned() -> None:
    across = Point(2 * cos(radians(30)), 2 * sin(radians(30)))
    down = Point(-across.y, across.x)
    border = [
        at
        for x, y in ((0, 0), (100, 0), (100, 50), (0, 50))
        for at in (7 + x * across.x + y * down.x, 9 + x * across.y + y * down.y)
    ]
    seen = through(model(border, border, 100, 50), Point(10, 20))

    assert seen.x == pytest.approx(7 + 10 * across.x + 20 * down.x)
    assert seen.y == pytest.approx(9 + 10 * across.y + 20 * down.y)


def test_boxes() -> None:
    box = around(corners([0, 10, 101, 10, 101, 30, 0, 30]))

    assert box == Box(0, 10, 101, 30)
    assert box.middle == Point(50, 20)
    assert Box(0.6, 0.6, 0.9, 0.9).middle == Point(0.75, 0.75)
    assert box.within(Box(0, 0, 50, 20)) == Box(0, 10, 50, 20)
    assert box.within(Box(200, 0, 300, 20)) is None
    assert (box.contains(Point(100, 29)), box.contains(Point(101, 29))) == (True, False)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BlockedByDialog(DIALOG, maybe_executed=False), "blocked by dialog d-1"),
        (PausedByDebugger(PAUSE, maybe_executed=False), "a script is paused, b-1"),
        (BlockedByPrintPreview(PAUSE, maybe_executed=False), "a print preview is open, b-1"),
        (CallTimeout(3, "slow", "why", maybe_executed=True), "no answer within 3 s, slow"),
        (NavigationInterrupted("f", maybe_executed=False), "its document was replaced while it was read"),
        (FrameGone("f", maybe_executed=False), "it went away"),
        (TargetCrashed("s"), "it crashed"),
        (CDPError("<page text>"), "the browser refused it, CDPError"),
    ],
)
def test_why_a_frame_was_not_read_in_words_that_no_page_wrote(error: CDPError, words: str) -> None:
    assert say(error) == words


def test_page_text_cannot_leave_its_quotes() -> None:
    assert quoted('a"b\\c\n\u202ed') == '"a\\"b\\\\c \\u202ed"'
    assert quoted("x" * 5, 3) == '"xxx... (2 more characters)"'


def test_a_tree_of_any_depth_is_read() -> None:
    """As deep as a page likes, and with children that are not there."""
    depth = sys.getrecursionlimit() + 100
    nodes = [
        AXNode(
            node_id=AXNodeId(str(number)),
            ignored=False,
            role=AXValue(type="role", value="RootWebArea" if not number else "generic"),
            parent_id=AXNodeId(str(number - 1)) if number else None,
            child_ids=(AXNodeId(str(number + 1)), AXNodeId("missing")),
        )
        for number in range(depth)
    ]
    text = AXNode(
        node_id=AXNodeId(str(depth)),
        ignored=False,
        role=AXValue(type="internalRole", value="StaticText"),
        name=AXValue(type="computedString", value="deep"),
        parent_id=AXNodeId(str(depth - 1)),
    )

    assert [line.head for line in lines([*nodes, text])] == ['"deep"']
    assert list(lines([])) == []


@pytest.mark.parametrize(
    ("locator", "names"),
    [('button "Save all"', ["Save"]), ('link "Nowhere"', ["Help"]), ('slider "Nowhere"', ["Save", "Help"])],
)
def test_what_comes_near_has_a_word_or_the_role_or_is_everything(locator: str, names: list[str]) -> None:
    page = [
        PlacedLine(Node("f", "l", 1), OutlineLine(depth=0, role=role, name=quoted(name), is_interactive=is_interactive))
        for role, name, is_interactive in [("button", "Save", True), ("link", "Help", True), ("heading", "Save", False)]
    ]

    assert [place.line.name for place in near(page, locator)] == [quoted(name) for name in names]
