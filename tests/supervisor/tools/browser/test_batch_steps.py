"""The steps of `browser_batch`: each is called as it was written, or none is."""

from __future__ import annotations

import copy
from inspect import isawaitable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from supervisor.tools import Policy
from supervisor.tools.browser.batch import MOST, STEPS, BatchArguments, BatchDone, BatchStep, browser_batch
from supervisor.tools.framework.tool import ToolContext, ToolInvoker
from supervisor.tools.framework.tool_errors import InvalidArgument

TEXT = st.text(st.sampled_from("${}[]\\\"'\n\u2028#-e1 ") | st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(st.none() | st.booleans() | st.integers() | TEXT, lambda inner: st.lists(inner, max_size=3))
STEP = st.tuples(
    st.sampled_from([*STEPS, *(f"browser_{name}" for name in STEPS)])
    | st.sampled_from(["evaluate", "cdp", "file", ""])
    | TEXT,
    st.dictionaries(TEXT, VALUES, max_size=3),
)


@given(st.lists(STEP, max_size=MOST + 2))
async def test_steps_are_called_as_they_were_written_or_none_is(written: list[tuple[str, dict[str, Any]]]) -> None:
    called: list[tuple[str, object]] = []

    async def call(name: str, arguments: object) -> dict[str, Any]:
        called.append((name, arguments))
        return {"success": True}

    others = ToolInvoker(check=lambda name, arguments: None, call=call, as_text=lambda name, result: "")
    context = ToolContext(task_id="t", running=None, policy=Policy(), others=others)
    steps = tuple(BatchStep(tool=name, arguments=copy.deepcopy(arguments)) for name, arguments in written)
    may_be_called = all(name.removeprefix("browser_") in STEPS for name, _ in written) and 0 < len(written) <= MOST
    try:
        handled = browser_batch.handler(context, BatchArguments(steps=steps))
        done = await handled if isawaitable(handled) else handled
    except InvalidArgument:
        assert not may_be_called
        assert called == []
        return
    assert may_be_called
    assert called == [(f"browser_{name.removeprefix('browser_')}", arguments) for name, arguments in written]
    assert isinstance(done, BatchDone)
    assert done.done == len(written)
