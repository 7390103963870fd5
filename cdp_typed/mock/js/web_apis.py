"""What a page can ask of the network and of its own elements: `fetch`, `XMLHttpRequest`, promises, links, file inputs.

A request in flight lives in the variables of its context, under a name that no program can write. Only synchronous
requests of `XMLHttpRequest` are known.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from cdp_typed.mock.js.effects import Answered, Asked, Calls, Clicks, Fetches, Reacts, Sends, Settles
from cdp_typed.mock.js.interpreter_state import Machine
from cdp_typed.mock.js.syntax_tree import Unknown
from cdp_typed.mock.js.values import Binding, Control, Func, Pending, Reply, Xhr, is_dict, text

__all__ = ["call_binding", "call_method", "fetch", "made_promise", "new_request", "property_of_request"]

Arguments = list[Any]


class _Request(Struct, frozen=True):
    asked: Asked = Asked("GET", "")
    answer: Answered | None = None


def fetch(machine: Machine, arguments: Arguments, column: int) -> Pending:
    """`fetch(url, {method, headers, body})`."""
    options: Any = arguments[1] if len(arguments) > 1 else {}
    if not arguments or not is_dict(options):
        raise Unknown("fetch with anything but an address and an object")
    headers: Any = options.get("headers", {})
    if not is_dict(headers) or options.keys() - {"method", "headers", "body"}:
        raise Unknown("options of fetch but method, headers and body")
    body: Any = options.get("body")
    request = Asked(
        text(options.get("method", "GET")).upper(),
        text(arguments[0]),
        tuple((name, text(value)) for name, value in headers.items()),
        None if body is None else text(body),
    )
    promise = Pending(machine.count("promises"))
    machine.effects.append(Fetches(promise.number, request, column))
    return promise


def made_promise(machine: Machine, arguments: Arguments, *, failed: bool) -> Pending:
    """`Promise.resolve(value)` or `Promise.reject(value)`."""
    promise = Pending(machine.count("promises"))
    machine.effects.append(Settles(promise.number, arguments[0] if arguments else UNSET, failed))
    return promise


def new_request(machine: Machine) -> Xhr:
    """`new XMLHttpRequest()`."""
    made = Xhr(machine.count("requests"))
    machine.variables[_place(made)] = _Request()
    return made


def call_binding(machine: Machine, binding: Binding, arguments: Arguments, column: int) -> Any:
    """Call what `Runtime.addBinding` made."""
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        machine.throw("Error", "Invalid arguments: should be exactly one string.", column)
    machine.effects.append(Calls(binding.name, arguments[0]))
    return UNSET


def property_of_request(machine: Machine, request: Xhr, name: str) -> Any:
    """`request.name`."""
    answer = _request(machine, request).answer or Answered("")
    known: dict[str, Any] = {
        "status": answer.status,
        "statusText": answer.status_text,
        "responseText": answer.body,
        "response": answer.body,
        "responseURL": answer.url,
    }
    if name not in known:
        raise Unknown(f"property {name} of an XMLHttpRequest")
    return known[name]


def call_method(machine: Machine, holder: Any, name: str, arguments: Arguments, column: int) -> Any:
    """`holder.name(arguments)` for the objects of this file. Raises `Unknown` for all others."""
    match holder, name:
        case Pending(), "then" | "catch":
            return _react(machine, holder, name, arguments)
        case Reply(), "text" | "json":
            return _read(machine, holder, name)
        case Control(), "click":
            machine.effects.append(Clicks(holder.name))
            return UNSET
        case Xhr(), _ if name in _XHR:
            return _XHR[name](machine, holder, arguments, column)
        case _:
            raise Unknown(f"a call of {name}")


def _react(machine: Machine, promise: Pending, name: str, arguments: Arguments) -> Pending:
    handlers = [*arguments, UNSET, UNSET] if name == "then" else [UNSET, *arguments, UNSET]
    fulfilled, rejected = (_handler(handler) for handler in handlers[:2])
    following = Pending(machine.count("promises"))
    machine.effects.append(Reacts(promise.number, fulfilled, rejected, following.number))
    return following


def _handler(value: Any) -> Func | None:
    if value is None or value is UNSET:
        return None
    if not isinstance(value, Func):
        raise Unknown("a promise's handler that is no function of the page")
    return value


def _read(machine: Machine, reply: Reply, name: str) -> Pending:
    promise = Pending(machine.count("promises"))
    value: Any = reply.body
    failed = False
    if name == "json":
        try:
            value = json.loads(reply.body)
        except ValueError:
            failed = True
            value = machine.failure("SyntaxError", f'Unexpected token in "{reply.body}" is not valid JSON', 0)
    machine.effects.append(Settles(promise.number, value, failed))
    return promise


def _place(request: Xhr) -> str:
    return f"request {request.number}"


def _request(machine: Machine, request: Xhr) -> _Request:
    found: _Request = machine.variables[_place(request)]
    return found


def _open(machine: Machine, request: Xhr, arguments: Arguments, column: int) -> Any:
    if len(arguments) != 3 or arguments[2] is not False:
        raise Unknown("an XMLHttpRequest that is not synchronous")
    machine.variables[_place(request)] = _Request(Asked(text(arguments[0]).upper(), text(arguments[1])))
    return UNSET


def _set_header(machine: Machine, request: Xhr, arguments: Arguments, column: int) -> Any:
    old = _request(machine, request)
    name, value = (text(argument) for argument in arguments)
    asked = replace(old.asked, headers=(*old.asked.headers, (name, value)))
    machine.variables[_place(request)] = replace(old, asked=asked)
    return UNSET


def _send(machine: Machine, request: Xhr, arguments: Arguments, column: int) -> Any:
    old = _request(machine, request)
    if not old.asked.url:
        message = "Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED."
        machine.throw("InvalidStateError", message, column, class_name="DOMException")
    body = arguments[0] if arguments else None
    asked = replace(old.asked, body=None if body is None else text(body))
    answer: Answered = machine.answered(Sends(asked, column))
    if not answer.status:
        message = f"Failed to execute 'send' on 'XMLHttpRequest': Failed to load '{answer.url}'."
        machine.throw("NetworkError", message, column, class_name="DOMException")
    machine.variables[_place(request)] = replace(old, answer=answer)
    return UNSET


def _get_header(machine: Machine, request: Xhr, arguments: Arguments, column: int) -> Any:
    answer = _request(machine, request).answer or Answered("")
    wanted = text(arguments[0]).lower()
    return next((value for name, value in answer.headers if name.lower() == wanted), None)


_XHR: Final[dict[str, Callable[[Machine, Xhr, Arguments, int], Any]]] = {
    "getResponseHeader": _get_header,
    "open": _open,
    "send": _send,
    "setRequestHeader": _set_header,
}
