"""The JSON envelopes of the protocol: commands are encoded whole, incoming messages without their payload."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import Raw, Struct, field

from cdp_typed._base import Command
from cdp_typed.conversions import decode, decoder_of
from cdp_typed.wire.decoding import REFUSED
from cdp_typed.wire.json_text import dump, is_object, load, repair

M = TypeVar("M", bound=str)
S = TypeVar("S", bound=Struct)

_ABSENT = Raw(b"")
# The first bytes of an event of Chromium, before and after the name of its method.
_NAME, _PARAMS = b'{"method":"', b'","params":{'
# Chromium writes a reply's id first. Searching elsewhere could take an id out of the payload and fail the wrong call.
_LEADING_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,18})\s*[,}]')


class _CallEnvelope(Struct, omit_defaults=True):
    id: int
    method: str
    params: Any
    session_id: str | None = field(default=None, name="sessionId")


class Envelope(Struct, gc=False):
    """An incoming message: a reply (`id`), an event (`method`), or neither. An absent payload is an empty `Raw`."""

    # In the order in which Chromium writes them: msgspec expects the keys in the order of the fields.
    id: int | None = None
    method: str | None = None
    params: Raw = _ABSENT
    result: Raw = _ABSENT
    error: Raw = _ABSENT
    session_id: str | None = field(default=None, name="sessionId")


class _WholeReply(Struct, Generic[S], gc=False):
    id: int
    result: S
    error: Raw = _ABSENT


class WholeEvent(Struct, Generic[M, S], gc=False, forbid_unknown_fields=True):
    """An event decoded together with its envelope. A message with an `id` or an `error` is refused: it is no event."""

    method: M
    params: S
    session_id: str | None = field(default=None, name="sessionId")


class ErrorBody(Struct, frozen=True):
    """The error object of a reply, as the browser sent it."""

    code: int = 0
    message: str = ""
    data: Any = None


class MalformedMessage(Struct, frozen=True):
    """A message that cannot be read. `id` is the id of its call, where that is certain."""

    reason: str
    id: int | None


def _plain(value: Any) -> Any:
    # Enums and ids of other packages are subclasses of the plain types, which msgspec does not look through.
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(f"JSON cannot say objects of type {type(value).__name__}")


_encode = msgspec.json.Encoder(enc_hook=_plain).encode
_decode = decoder_of(Envelope).decode


def encode_request(call_id: int, command: Command[Any], session_id: str | None) -> bytes:
    """Encode one command; `sessionId` is left out for the browser's own session."""
    return encode_call(call_id, command.METHOD, command, session_id)


def encode_call(call_id: int, method: str, params: Any, session_id: str | None) -> bytes:
    """Encode a call of any method. Raises `TypeError` for parameters that JSON cannot represent."""
    request = _CallEnvelope(call_id, method, params, session_id)
    try:
        return _encode(request)
    except UnicodeEncodeError:
        # A lone surrogate in a parameter is legal in JavaScript strings and in JSON escapes, but not in UTF-8.
        return dump(msgspec.to_builtins(request, enc_hook=_plain))


def decode_message(data: bytes) -> Envelope | MalformedMessage:
    """Read the envelope in one pass; a message that msgspec refuses is read again leniently. Never raises."""
    try:
        return _decode(data)
    except REFUSED:
        pass
    try:
        return _decode(repair(data))
    except REFUSED:
        return _patiently(data)


def leading_id(data: bytes) -> int | None:
    """Return the id at the beginning of a message, without reading the rest of it."""
    leading = _LEADING_ID.match(data)
    return int(leading[1]) if leading else None


def decode_params(data: bytes) -> Raw:
    """Return the parameters of a message that was read as an event before."""
    message = decode_message(data)
    return message.params if isinstance(message, Envelope) else _ABSENT


def decode_reply(data: bytes, call_id: int, result: type[S]) -> S | None:
    """Decode the result of the reply to `call_id` together with its envelope, in one pass.

    Returns `None` for everything else, such as an error or a result that differs from its class; `decode_message`
    reads those. Never raises.
    """
    read: Callable[[bytes], _WholeReply[S]] = _whole(_WholeReply, result)
    # A large result is thousands of values, none of which is garbage: searching for some takes a sixth of the time.
    # No other thread runs meanwhile, because decoding keeps the interpreter's lock.
    collects = gc.isenabled()
    gc.disable()
    try:
        whole = read(data)
    except REFUSED:
        return None
    finally:
        if collects:
            gc.enable()
    return whole.result if whole.id == call_id and not whole.error else None


@cache
def _whole(envelope: Any, *payload: Any) -> Callable[[bytes], Any]:
    # `Any`: type checkers do not accept a class of run time as the argument of a generic type.
    return decoder_of(envelope[payload]).decode


class ReadAhead:
    """The events that are decoded together with their envelope, in one pass: that takes two thirds of the time of two.

    An event is recognised by a slice of the message, as Chromium writes it. A browser that writes otherwise, or an
    event with a very short name, only takes longer; of two events with the same slice, one is decoded in vain.
    """

    PIECE: Final = slice(len(_NAME), len(_NAME) + 28)

    def __init__(self, never: Iterable[str] = ()) -> None:
        """`never` names the methods that are not read ahead, even if `add` is called for them."""
        self._never = frozenset(map(self._piece, never))
        self.readers: dict[bytes, Callable[[bytes], WholeEvent[str, Any]]] = {}
        """The decoders, by the `PIECE` of a message; each raises one of `REFUSED` for a message that does not fit."""

    def add(self, method: str, cls: type[Struct]) -> None:
        """Read these events ahead as this class; a class that was added before for the same piece stays."""
        piece = self._piece(method)
        if piece not in self._never:
            # As a literal, the name is one string for all events: no allocation, and a hash that is known.
            self.readers.setdefault(piece, _whole(WholeEvent, Literal[method], cls))

    def clear(self) -> None:
        """Read nothing ahead."""
        self.readers.clear()

    def _piece(self, method: str) -> bytes:
        return (_NAME + method.encode() + _PARAMS)[self.PIECE]


def decode_error(raw: Raw) -> ErrorBody:
    """Read the error of a reply; an error object of another shape becomes the message, shortened."""
    data = repair(bytes(raw))
    try:
        return decode(data, type=ErrorBody)
    except REFUSED:
        return ErrorBody(message=data[:200].decode("utf-8", "replace"))


def _patiently(data: bytes) -> Envelope | MalformedMessage:
    try:
        value = load(repair(data), lambda _: None)
    except (ValueError, RecursionError) as error:
        return MalformedMessage(_reason(data, error), leading_id(data))
    if not is_object(value):
        return MalformedMessage(f"not a JSON object but {type(value).__name__}", None)
    call_id, method, session_id = value.get("id"), value.get("method"), value.get("sessionId")
    if isinstance(call_id, float) and call_id.is_integer():
        call_id = int(call_id)
    return Envelope(
        id=call_id if isinstance(call_id, int) else None,
        method=method if isinstance(method, str) else None,
        session_id=session_id if isinstance(session_id, str) else None,
        **{name: Raw(dump(value[name])) for name in ("params", "result", "error") if name in value},
    )


def _reason(data: bytes, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"nested too deeply ({len(data)} bytes)"
    return f"not JSON ({len(data)} bytes)" if data else "empty message"
