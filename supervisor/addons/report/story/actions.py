"""The actions of the agent: what a reader sees first."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from supervisor.addons.report.model import Action, CallSpan, DialogSpan, Picture, ToolSpan

from .phrases import names_in, outcome_of, outcome_of_tool, phrase_of_call, phrase_of_tool

LATE_MS = 50.0
"""A command of the protocol so soon after the end of a tool is its last one: it puts something back."""


def actions_of(
    tools: Sequence[ToolSpan],
    calls: Sequence[CallSpan],
    dialogs: Sequence[DialogSpan],
    pictures: Sequence[Picture],
) -> list[Action]:
    """A line for each call of a tool, and for each call that no tool made; in the order of time."""
    made, alone = _shared_out(tools, calls)
    names: dict[str, str] = {}
    of_tools: list[Action] = []
    for number, tool in enumerate(tools):
        of_tools.append(_of_tool(tool, number, calls, made[number], names))
        names.update(names_in(tool.text))
    of_calls = [_of_call(calls[number], number) for number in alone]
    ordered = sorted([*of_tools, *of_calls], key=lambda action: (action.time, action.input))
    by_page: dict[str, list[int]] = {}
    for number, picture in enumerate(pictures):
        by_page.setdefault(picture.page, []).append(number)
    opened = _open_at([action.end for action in ordered], dialogs)
    return [
        _pictured(replace(action, number=number), ordered[number : number + 1], pictures, by_page, dialog)
        for number, (action, dialog) in enumerate(zip(ordered, opened, strict=True), 1)
    ]


def _shared_out(tools: Sequence[ToolSpan], calls: Sequence[CallSpan]) -> tuple[list[list[int]], list[int]]:
    """The calls that each tool made, by their times, and those that none made."""
    order = sorted(range(len(tools)), key=lambda number: tools[number].time)
    times = [tools[number].time for number in order]
    made: list[list[int]] = [[] for _ in tools]
    alone: list[int] = []
    for number, call in enumerate(calls):
        place = bisect_right(times, call.time) - 1
        maker = next((order[at] for at in range(place, max(-1, place - 20), -1) if _made(tools[order[at]], call)), None)
        (alone if maker is None else made[maker]).append(number)
    return made, alone


def _made(tool: ToolSpan, call: CallSpan) -> bool:
    late = LATE_MS if "." in call.kind else 0.0
    return tool.time <= call.time and (tool.end is None or call.time <= tool.end + late)


def _of_tool(
    tool: ToolSpan, number: int, calls: Sequence[CallSpan], made: list[int], names: Mapping[str, str]
) -> Action:
    points = [point for call in made if (point := _pressed_at(calls[call]))]
    return Action(
        number=0,
        name=tool.name,
        text=phrase_of_tool(tool, names),
        outcome=outcome_of_tool(tool, names),
        status="pending" if tool.end is None else "failed" if tool.is_error else "succeeded",
        page=tool.page,
        input=tool.input,
        time=tool.time,
        end=tool.end,
        end_input=tool.end_input,
        tool=number,
        calls=made,
        before=None,
        after=None,
        point=points[0] if points else [],
        dialog=None,
    )


def _of_call(call: CallSpan, number: int) -> Action:
    return Action(
        number=0,
        name=call.kind,
        text=phrase_of_call(call),
        outcome=outcome_of(f"{call.error}: {call.text}" if call.error else call.text),
        status=call.outcome,
        page=call.page,
        input=call.input,
        time=call.time,
        end=call.end,
        end_input=call.end_input,
        tool=None,
        calls=[number],
        before=None,
        after=None,
        point=_pressed_at(call),
        dialog=None,
    )


def _pressed_at(call: CallSpan) -> list[float]:
    if call.kind != "Input.dispatchMouseEvent" or '"mousePressed"' not in call.arguments:
        return []
    try:
        arguments = json.loads(call.arguments)
        return [float(arguments["x"]), float(arguments["y"])]
    except (ValueError, KeyError, TypeError):  # cut, or not written by our recorder
        return []


def _open_at(times: Iterable[float | None], dialogs: Sequence[DialogSpan]) -> list[int | None]:
    """For each time the newest dialog that was open."""
    begun = [dialog.time for dialog in dialogs]
    found: list[int | None] = []
    for time in times:
        place = (len(dialogs) if time is None else bisect_right(begun, time)) - 1
        end = dialogs[place].end if place >= 0 else None
        is_open = place >= 0 and (end is None or (time is not None and end > time))
        found.append(place if is_open else None)
    return found


def _pictured(
    action: Action,
    later: Sequence[Action],
    pictures: Sequence[Picture],
    by_page: dict[str, list[int]],
    dialog: int | None,
) -> Action:
    """With the pictures around it, of the same page: the newest one when it began, and the first one after its end."""
    own = by_page.get(action.page, [])
    place = bisect_right(own, action.time, key=lambda number: pictures[number].time) - 1
    before = own[place] if place >= 0 else None
    after = None
    if action.end is not None:
        place = bisect_left(own, action.end, key=lambda number: pictures[number].time)
        limit = later[0].end if later else None
        if place < len(own) and (limit is None or pictures[own[place]].time <= limit):
            after = own[place]
    return replace(action, before=before, after=after, dialog=dialog)
