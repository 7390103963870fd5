"""`js` evaluates JavaScript in a page and returns the value; `wait_for` waits for an element."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any, Literal, TypeAlias, TypeVar, overload

from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.errors import CommandError, CommandTimeout, ElementError
from cdp_typed.helpers.shared.deadline import Deadline
from cdp_typed.helpers.shared.javascript_values import COPY, as_argument, as_type, as_value, is_copied, raise_thrown
from cdp_typed.protocol import runtime

_GROUPS = count(1)
T = TypeVar("T")
ElementState: TypeAlias = Literal["visible", "hidden", "gone"]

_ANSWER_S = 0.5
"""A page that had at least so long for its answer does not answer."""
_LOOK_S = 0.03
_WORDS: dict[ElementState, str] = {"visible": "is not visible", "hidden": "is still visible", "gone": "is still there"}
_LOOK = """(selector, state) => {
    const found = [...document.querySelectorAll(selector)];
    if (state === "gone") return found.length === 0;
    const visible = found.some(element => getComputedStyle(element).visibility === "visible" &&
        [...element.getClientRects()].some(box => box.width > 0 && box.height > 0));
    return visible === (state === "visible");
}"""


@overload
async def js(tab: Channel, expression: str, *args: Any, timeout: Timeout = DEFAULT) -> Any: ...
@overload
async def js(tab: Channel, expression: str, *args: Any, type: type[T], timeout: Timeout = DEFAULT) -> T: ...
async def js(tab: Channel, expression: str, *args: Any, type: Any = Any, timeout: Timeout = DEFAULT) -> Any:
    """Evaluate `expression` in the page's main frame and return its value (`Runtime.evaluate`).

    `await js(tab, "document.title")`. If the expression is a function, it is called with `args`:
    `await js(tab, "(a, b) => a + b", 1, 2)` (`Runtime.callFunctionOn`). A promise is awaited. The value becomes plain
    Python: `None` for null and undefined, bool, int, float (with NaN, infinities and -0), str, list, dict; a BigInt
    becomes an int, a Date its ISO text. An argument is one of these, or a `runtime.RemoteObject`; an int beyond 2**53
    arrives as a BigInt. Each value is copied with its type, so for a million values return `JSON.stringify(...)`.

    With `type`, the value is checked, and type checkers see that type: `await js(tab, "document.title", type=str)`,
    `list[str]`, or a `TypedDict`, a dataclass or a `msgspec.Struct`, which are built from an object.

    Raises `JavaScriptError` if the page throws or a promise is rejected; `TypeError` for an argument that cannot be
    sent, and for a value that cannot be copied (an element, a Map, a value that contains itself), which it names;
    `WrongType` for a value of another type than `type`; otherwise as `Session.send` does. `timeout` is the deadline
    of each command, in seconds.
    """
    arguments = [as_argument(argument) for argument in args]
    group = f"cdp-typed-js-{next(_GROUPS)}"
    try:
        value = await _evaluated(tab, f"({expression}\n)" if args else expression, group, timeout)
        if value.type == "function" and value.object_id is not None:
            names = ", ".join(f"a{number}" for number in range(len(args)))
            body = f"function ({names}) {{ return this({names}) }}"
            value = await _called(tab, body, value.object_id, arguments, timeout)
        elif args:
            raise TypeError(f"the expression is no function to be called with arguments, but of type {value.type}")
        if not is_copied(value):
            value = await _copied_by_older_browser(tab, value, timeout)
        return as_type(as_value(value), type)
    finally:
        _ = tab.send_nowait(runtime.ReleaseObjectGroup(object_group=group))


async def wait_for(
    tab: Channel, selector: str, state: ElementState = "visible", *, timeout: float | None = 30.0
) -> None:
    """Wait until a matching element is visible, until none is visible (`"hidden"`), or until none exists (`"gone"`).

    `await wait_for(tab, "#price")`. An element of the main frame is visible if it has a box and is not
    `visibility: hidden`, wherever the page is scrolled to. The page may navigate during the wait. Uses
    `Runtime.evaluate`, some 30 times a second. Raises `ElementError` after `timeout` seconds, `JavaScriptError` for an
    invalid selector, `ValueError` for another state; otherwise as `Session.send` does.
    """
    if state not in _WORDS:
        raise ValueError(f"state must be one of {', '.join(_WORDS)}, not {state!r}")
    deadline, has_answered = Deadline(timeout), False
    while True:
        left = deadline.left
        try:
            if await js(tab, _LOOK, selector, state, timeout=left):
                return
            has_answered = True
        except CommandTimeout as error:
            if not has_answered or left is None or left > _ANSWER_S:  # else the last look was cut short
                raise ElementError(selector, f"the page does not answer within {timeout:g} s{error.hint}") from None
        except CommandError as error:
            if "ontext" not in str(error):  # the document was replaced meanwhile
                raise
        if deadline.left == 0:
            raise ElementError(selector, f"the element {_WORDS[state]} after {timeout:g} s")
        await asyncio.sleep(_LOOK_S)


async def _evaluated(tab: Channel, expression: str, group: str, timeout: Timeout) -> runtime.RemoteObject:
    reply = await tab.send(
        runtime.Evaluate(
            expression=expression,
            object_group=group,
            await_promise=True,
            user_gesture=True,
            serialization_options=COPY,
        ),
        timeout=timeout,
    )
    raise_thrown(reply.exception_details)
    return reply.result


async def _called(
    tab: Channel,
    function: str,
    this: runtime.RemoteObjectId,
    arguments: list[runtime.CallArgument],
    timeout: Timeout,
) -> runtime.RemoteObject:
    reply = await tab.send(
        runtime.CallFunctionOn(
            function_declaration=function,
            object_id=this,
            arguments=arguments,
            await_promise=True,
            user_gesture=True,
            serialization_options=COPY,
        ),
        timeout=timeout,
    )
    raise_thrown(reply.exception_details)
    return reply.result


async def _copied_by_older_browser(tab: Channel, value: runtime.RemoteObject, timeout: Timeout) -> runtime.RemoteObject:
    assert value.object_id is not None
    copy = runtime.CallFunctionOn(
        function_declaration="function () { return this }", object_id=value.object_id, return_by_value=True
    )
    return (await tab.send(copy, timeout=timeout)).result
