"""`js`: evaluates JavaScript in a page and returns the value, or raises the page's exception."""

from __future__ import annotations

from itertools import count
from typing import Any, TypeVar, overload

from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.helpers.shared.javascript_values import COPY, as_argument, as_type, as_value, is_copied, raise_thrown
from cdp_typed.protocol import runtime

_GROUPS = count(1)
T = TypeVar("T")


@overload
async def js(tab: Channel, expression: str, *args: Any, timeout: Timeout = DEFAULT) -> Any: ...
@overload
async def js(tab: Channel, expression: str, *args: Any, type: type[T], timeout: Timeout = DEFAULT) -> T: ...
async def js(tab: Channel, expression: str, *args: Any, type: Any = Any, timeout: Timeout = DEFAULT) -> Any:
    """Evaluate `expression` in the page's main frame and return its value (`Runtime.evaluate`).

    `await js(tab, "document.title")`. Where the expression is a function, it is called, with `args`:
    `await js(tab, "(a, b) => a + b", 1, 2)` (`Runtime.callFunctionOn`). A promise is awaited. The value comes as plain
    Python: `None` for null and undefined, bool, int, float (with NaN, infinities and -0), str, list, dict; a BigInt as
    int, a Date as its ISO text. An argument is one of these, or a `runtime.RemoteObject`; an int beyond 2**53 arrives
    as a BigInt. Each value is copied with its type: for a million of them return `JSON.stringify(...)`.

    With `type`, the value is checked and has that type for type checkers, too: `await js(tab, "document.title",
    type=str)`, `list[str]`, a `TypedDict`, a dataclass or a `msgspec.Struct`, which are made of an object.

    Raises `JavaScriptError` for what the page throws or a promise is rejected with; `TypeError` for an argument that
    cannot be sent, for a value that cannot be copied (an element, a Map, a value that contains itself), which it names,
    and for a value of another type than `type`; otherwise as `Session.send` does. `timeout` is the deadline of each
    command, in seconds.
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
