"""Parses the clients' messages to commands, or to Chrome's errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, Literal, cast

from msgspec import Struct

from cdp_typed.mock.schema.json_errors import may_be_too_deep, problem_of
from cdp_typed.mock.state.error_texts import Refusal, Text, bad_json

ParamsKind = Literal["object", "array", "absent"]
"""The JSON that a message had as its `params`; null counts as absent."""


class CommandMessage(Struct, frozen=True):
    """A call as it was received. `session` is the session id, None for the connection's own session."""

    id: int
    method: str
    session: str | None
    params: dict[str, Any]
    params_kind: ParamsKind = "object"


class InvalidRequest(Struct, frozen=True):
    """A message that is no call: the error carries `id` only if one could be read."""

    refusal: Refusal
    id: int | None = None


def read_command(text: str | bytes) -> CommandMessage | InvalidRequest:
    """Parse a message. Never raises."""
    if not text.strip():
        return InvalidRequest(bad_json(len(text), "no input"))
    try:
        # Chrome reads plain UTF-8. `json.loads` also reads other encodings, and a byte order mark, from bytes.
        plain = text if isinstance(text, str) else text.decode("utf-8", "surrogatepass")
        value: Any = json.loads(plain, parse_constant=_refuse)
    except (RecursionError, ValueError) as error:
        return InvalidRequest(_bad_json(text, error))
    if not isinstance(value, dict):
        return InvalidRequest(Text.NOT_AN_OBJECT.value)
    if may_be_too_deep(plain) and (deep := problem_of(_bytes(text))) is not None:
        return InvalidRequest(bad_json(deep.position, deep.words))
    return _read_properties(cast("dict[str, Any]", value))


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _bytes(text: str | bytes) -> str:
    """Return the text with a character for each of its bytes, which is how Chrome counts."""
    return (text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).decode("latin-1")


def _bad_json(text: str | bytes, error: Exception) -> Refusal:
    problem = problem_of(_bytes(text))
    if problem is not None:
        return bad_json(problem.position, problem.words)
    # Chrome takes some JSON that Python does not: a comment, a number of too many digits, a control character in a
    # string.
    position = error.pos if isinstance(error, json.JSONDecodeError) else 0
    return bad_json(position, f"cdp_typed.mock does not read this ({type(error).__name__})")


def _read_properties(message: dict[str, Any]) -> CommandMessage | InvalidRequest:
    """Read the properties in their order, as Chrome does: the first wrong one is refused."""
    number: int | None = None
    for name in message:
        wrong = _WRONG.get(name, _refuse_unknown)(message[name])
        if wrong is not None:
            return InvalidRequest(wrong.value, number)
        if name == "id":
            number = int(message[name])
    if number is None:
        return InvalidRequest(Text.NO_INTEGER_ID.value)
    if not message.get("method"):
        return InvalidRequest(Text.NO_METHOD.value, number)
    params: Any = message.get("params")
    kind: ParamsKind = "absent" if params is None else "array" if isinstance(params, list) else "object"
    # An empty session id is that of the connection's own session.
    return CommandMessage(number, message["method"], message.get("sessionId") or None, _fields(params), kind)


def _fields(params: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", params) if isinstance(params, dict) else {}


def _check_id(value: object) -> Text | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Text.NO_INTEGER_ID
    # 7.0 is an integer to Chrome.
    return None if -(2**31) <= value < 2**31 and value == int(value) else Text.NO_INTEGER_ID


def _check_method(value: object) -> Text | None:
    return None if isinstance(value, str) and value.isascii() else Text.NO_METHOD


def _check_session(value: object) -> Text | None:
    return None if isinstance(value, str) else Text.SESSION_NOT_STRING


def _check_params(value: object) -> Text | None:
    return None if value is None or isinstance(value, (dict, list)) else Text.PARAMS_NOT_OBJECT


def _refuse_unknown(value: object) -> Text | None:
    return Text.FOREIGN_PROPERTY


_WRONG: Final[dict[str, Callable[[object], Text | None]]] = {
    "id": _check_id,
    "method": _check_method,
    "sessionId": _check_session,
    "params": _check_params,
}
