"""`fetch`, `XMLHttpRequest`, `document.cookie`, promises, links and file inputs in scripts.

The state of an XMLHttpRequest is a variable of its context, under a name that no script can use. Only synchronous
requests of `XMLHttpRequest` are supported.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn

from msgspec import UNSET, Struct
from msgspec.structs import replace

from cdp_typed.mock.js.effects import (
    AddReaction,
    CallBinding,
    ClickElement,
    ReadCookies,
    ScriptRequest,
    SendSyncRequest,
    SettlePromise,
    StartFetch,
    SyncResponse,
    WriteCookie,
)
from cdp_typed.mock.js.interpreter_state import InterpreterState, check_thrown
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import (
    Binding,
    ClickableElement,
    FetchResponse,
    FunctionValue,
    HostObject,
    PromiseSettler,
    PromiseValue,
    XmlHttpRequest,
    is_dict,
    text,
)

Arguments = list[Any]


class _XhrState(Struct, frozen=True):
    request: ScriptRequest = ScriptRequest("GET", "")
    answer: SyncResponse | None = None


def fetch(state: InterpreterState, arguments: Arguments, column: int) -> PromiseValue:
    """Perform `fetch(url, {method, headers, body, mode})`."""
    options: Any = arguments[1] if len(arguments) > 1 else {}
    if not arguments or not is_dict(options):
        raise Unsupported("fetch with anything but an address and an object")
    headers: Any = options.get("headers", {})
    if not is_dict(headers) or options.keys() - {"method", "headers", "body", "mode"}:
        raise Unsupported("options of fetch but method, headers, body and mode")
    if options.get("mode", "cors") != "cors":
        raise Unsupported("a mode of fetch but cors")
    body: Any = options.get("body")
    request = ScriptRequest(
        text(options.get("method", "GET")).upper(),
        text(arguments[0]),
        tuple((name, text(value)) for name, value in headers.items()),
        None if body is None else text(body),
    )
    promise = PromiseValue(state.count("promises"))
    state.effects.append(StartFetch(promise.number, request, column))
    return promise


def settled_promise(state: InterpreterState, arguments: Arguments, *, failed: bool) -> PromiseValue:
    """Perform `Promise.resolve(value)` or `Promise.reject(value)`."""
    promise = PromiseValue(state.count("promises"))
    value = arguments[0] if arguments else UNSET
    state.effects.append(SettlePromise(promise.number, check_thrown(value) if failed else value, failed))
    return promise


def settle(state: InterpreterState, settler: PromiseSettler, value: Any) -> None:
    """Call the `resolve` or `reject` of a promise; only the first call counts."""
    done = f"settled {settler.number}"
    if done in state.variables:
        return
    state.variables[done] = True
    failed = settler.failed
    value = check_thrown(value) if failed else value
    if value == PromiseValue(settler.number) and not failed:
        value, failed = state.failure("TypeError", "Chaining cycle detected for promise #<Promise>", 0), True
    state.effects.append(SettlePromise(settler.number, value, failed))


def new_xhr(state: InterpreterState) -> XmlHttpRequest:
    """Perform `new XMLHttpRequest()`."""
    xhr = XmlHttpRequest(state.count("requests"))
    state.variables[_variable_of(xhr)] = _XhrState()
    return xhr


def call_binding(state: InterpreterState, binding: Binding, arguments: Arguments, column: int) -> Any:
    """Call a function of `Runtime.addBinding`."""
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        state.throw("Error", "Invalid arguments: should be exactly one string.", column)
    state.effects.append(CallBinding(binding.name, arguments[0]))
    return UNSET


def xhr_property(state: InterpreterState, request: XmlHttpRequest, name: str) -> Any:
    """Return `request.name`."""
    answer = _xhr_state(state, request).answer or SyncResponse("")
    known: dict[str, Any] = {
        "status": answer.status,
        "statusText": answer.status_text,
        "responseText": answer.body,
        "response": answer.body,
        "responseURL": answer.url,
    }
    if name not in known:
        raise Unsupported(f"property {name} of an XMLHttpRequest")
    return known[name]


def call_method(state: InterpreterState, holder: Any, name: str, arguments: Arguments, column: int) -> Any:
    """Perform `holder.name(arguments)` for the objects of this module. Raises `Unsupported` for others."""
    match holder, name:
        case PromiseValue(), "then" | "catch":
            return _react(state, holder, name, arguments)
        case FetchResponse(), "text" | "json" | "arrayBuffer":
            return _read(state, holder, name)
        case ClickableElement(), "click":
            state.effects.append(ClickElement(holder.name))
            return UNSET
        case XmlHttpRequest(), _ if name in _XHR:
            return _XHR[name](state, holder, arguments, column)
        case _:
            raise Unsupported(f"a call of {name}")


def _react(state: InterpreterState, promise: PromiseValue, name: str, arguments: Arguments) -> PromiseValue:
    handlers = [*arguments, UNSET, UNSET] if name == "then" else [UNSET, *arguments, UNSET]
    fulfilled, rejected = (_handler(handler) for handler in handlers[:2])
    following = PromiseValue(state.count("promises"))
    state.effects.append(AddReaction(promise.number, fulfilled, rejected, following.number))
    return following


def _handler(value: Any) -> FunctionValue | PromiseSettler | None:
    if value is None or value is UNSET:
        return None
    if not isinstance(value, FunctionValue | PromiseSettler):
        raise Unsupported("a promise's handler that is no function of the page")
    return value


def _read(state: InterpreterState, reply: FetchResponse, name: str) -> PromiseValue:
    promise = PromiseValue(state.count("promises"))
    value: Any = reply.body
    failed = False
    if name == "arrayBuffer":
        value = HostObject("ArrayBuffer", key=str(promise.number), about=str(len(reply.body.encode())))
    if name == "json":
        try:
            value = json.loads(reply.body)
        except ValueError:
            failed = True
            value = state.failure("SyntaxError", f'Unexpected token in "{reply.body}" is not valid JSON', 0)
    state.effects.append(SettlePromise(promise.number, value, failed))
    return promise


def _variable_of(request: XmlHttpRequest) -> str:
    return f"request {request.number}"


def _xhr_state(state: InterpreterState, request: XmlHttpRequest) -> _XhrState:
    xhr_state: _XhrState = state.variables[_variable_of(request)]
    return xhr_state


def _open(state: InterpreterState, request: XmlHttpRequest, arguments: Arguments, column: int) -> Any:
    if len(arguments) != 3 or arguments[2] is not False:
        raise Unsupported("an XMLHttpRequest that is not synchronous")
    state.variables[_variable_of(request)] = _XhrState(ScriptRequest(text(arguments[0]).upper(), text(arguments[1])))
    return UNSET


def _set_header(state: InterpreterState, request: XmlHttpRequest, arguments: Arguments, column: int) -> Any:
    old = _xhr_state(state, request)
    name, value = (text(argument) for argument in arguments)
    script_request = replace(old.request, headers=(*old.request.headers, (name, value)))
    state.variables[_variable_of(request)] = replace(old, request=script_request)
    return UNSET


def _send(state: InterpreterState, request: XmlHttpRequest, arguments: Arguments, column: int) -> Any:
    old = _xhr_state(state, request)
    if not old.request.url:
        message = "Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED."
        state.throw("InvalidStateError", message, column, class_name="DOMException")
    body = arguments[0] if arguments else None
    script_request = replace(old.request, body=None if body is None else text(body))
    answer: SyncResponse = state.answered(SendSyncRequest(script_request, column))
    if not answer.status:
        message = f"Failed to execute 'send' on 'XMLHttpRequest': Failed to load '{answer.url}'."
        state.throw("NetworkError", message, column, class_name="DOMException")
    state.variables[_variable_of(request)] = replace(old, answer=answer)
    return UNSET


def _get_header(state: InterpreterState, request: XmlHttpRequest, arguments: Arguments, column: int) -> Any:
    answer = _xhr_state(state, request).answer or SyncResponse("")
    wanted = text(arguments[0]).lower()
    return next((value for name, value in answer.headers if name.lower() == wanted), None)


_XHR: Final[dict[str, Callable[[InterpreterState, XmlHttpRequest, Arguments, int], Any]]] = {
    "getResponseHeader": _get_header,
    "open": _open,
    "send": _send,
    "setRequestHeader": _set_header,
}


def read_cookies(state: InterpreterState, column: int) -> str:
    """Return `document.cookie`; throw a SecurityError in a document without an origin."""
    cookies: str | None = state.answered(ReadCookies())
    if cookies is None:
        _throw_security_error(state, "read", "from", column)
    return cookies


def write_cookie(state: InterpreterState, text: str, column: int) -> None:
    """Perform `document.cookie = text`; throw a SecurityError in a document without an origin."""
    allowed: bool = state.answered(WriteCookie(text))
    if not allowed:
        _throw_security_error(state, "set", "on", column)


def _throw_security_error(state: InterpreterState, verb: str, side: str, column: int) -> NoReturn:
    why = "Access is denied for this document."
    if state.url.startswith("data:"):
        why = "Cookies are disabled inside 'data:' URLs."
    message = f"Failed to {verb} the 'cookie' property {side} 'Document': {why}"
    state.throw("SecurityError", message, column, class_name="DOMException")
