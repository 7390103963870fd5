"""The faults of FAULTS rows as data: what a browser says at a client's first command, in place of an answer.

Nothing here knows a client: the matrix test plays the rows to `cdp_typed`, the reference table to its peers.
`$ID` in a message stands for the id of the first command, `$SESSION` for the session's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MIB = 2**20
SESSION = "6F1B0E2C"


@dataclass(frozen=True)
class Text:
    """One whole message of text, `times` times."""

    data: bytes
    times: int = 1


@dataclass(frozen=True)
class Binary:
    """One whole message in a binary frame."""

    data: bytes


@dataclass(frozen=True)
class Cut:
    """The first half of a message, and then nothing more of it."""

    data: bytes


@dataclass(frozen=True)
class Close:
    """A closing frame; the TCP connection stays open."""

    code: int


@dataclass(frozen=True)
class End:
    """The end of the TCP connection."""

    how: Literal["fin", "reset"]


@dataclass(frozen=True)
class Silence:
    """From here on nothing is read and nothing is said, not even a pong; the connection stays."""


Action = Text | Binary | Cut | Close | End | Silence


@dataclass(frozen=True)
class Row:
    """One fault. The second command, which follows it, is answered as if nothing had been."""

    numbers: tuple[int, ...]
    """Its stable numbers in the list of faults."""
    name: str
    play: tuple[Action, ...]
    """The browser's actions when the first command arrives, in place of an answer."""
    before_second: tuple[Action, ...] = ()
    """The browser's actions when the second command arrives, before it answers."""
    on_session: bool = False
    """True if the first command goes to a session (the second one never does)."""
    answers: bool = True
    """True if the first command is answered at some time; if not, the client has to give it a short deadline."""
    max_size: int | None = None
    """The largest message that the client is told to accept, in bytes."""
    websocket_only: bool = False
    """True if only a websocket can have this fault, and a pipe cannot."""

    @property
    def id(self) -> str:
        return "_".join([*(f"F{number:02}" for number in self.numbers), self.name])


@dataclass(frozen=True)
class Dial:
    """One way to refuse a websocket handshake. A second dial, elsewhere, is answered well."""

    numbers: tuple[int, ...]
    name: str
    answer: bytes | None
    """The server's whole answer to the request; with `None` it accepts the TCP connection and never sends a byte."""
    status: int | None = None

    @property
    def id(self) -> str:
        return "_".join([*(f"F{number:02}" for number in self.numbers), self.name])


ANSWER = Text(b'{"id":$ID,"result":$RESULT}')
DIALOG = b'{"url":"https://a.test/","frameId":"F1","message":"hello","type":"alert","hasBrowserHandler":true}'
"""The parameters of a well-formed Page.javascriptDialogOpening."""


def _event(params: bytes, method: bytes = b"Page.javascriptDialogOpening") -> Text:
    return Text(b'{"method":"' + method + b'","params":' + params + b"}")


def _on_session(params: bytes, method: bytes) -> Text:
    return Text(b'{"method":"' + method + b'","params":' + params + b',"sessionId":"$SESSION"}')


_DETACHED = _event(b'{"sessionId":"$SESSION","targetId":"T1"}', b"Target.detachedFromTarget")
_REATTACHED = _event(
    b'{"sessionId":"70AA","waitingForDebugger":false,"targetInfo":{"targetId":"T1","type":"iframe","title":"",'
    b'"url":"","attached":true,"canAccessOpener":false}}',
    b"Target.attachedToTarget",
)
_DEEP = b"[" * 100_000 + b"]" * 100_000
_CONSOLE = (
    b'{"type":"log","args":[{"type":"string","value":"x"}],"executionContextId":1,"timestamp":1.5,"stackTrace":null}'
)
_HUGE = _CONSOLE.replace(b'"value":"x"', b'"value":"' + b"x" * (100 * MIB) + b'"')

_LINK = (
    Row((7,), "closed_for_policy", (Close(1008), End("fin")), websocket_only=True),
    Row((8,), "reset", (End("reset"),), websocket_only=True),
    Row((8, 55), "dropped_mid_command", (End("fin"),)),
    Row((9,), "dropped_mid_message", (Cut(b'{"method":"Page.x","params":{}}'), End("fin"))),
    Row((10,), "half_open", (Silence(),), answers=False),
    Row((11,), "goodbye_but_the_socket_stays", (Close(1000),), answers=False, websocket_only=True),
    Row((12,), "bigger_than_max_size", (Text(b" " * (2 * MIB)), ANSWER), max_size=MIB),
    Row((13, 56), "never_answered", (), answers=False),
)

_REPLIES = (
    Row((14,), "late_reply", (), before_second=(ANSWER,), answers=False),
    Row((15,), "reply_to_an_unknown_id", (Text(b'{"id":4711,"result":{}}'), ANSWER)),
    Row((15,), "reply_twice", (ANSWER, Text(b'{"id":$ID,"error":{"code":-32000,"message":"second"}}'))),
    Row((15,), "reply_without_its_session", (ANSWER,), on_session=True),
    Row((15,), "reply_whose_id_is_text", (Text(b'{"id":"$ID","result":{}}'), ANSWER)),
    Row((15,), "reply_whose_id_has_a_point", (Text(b'{"id":$ID.0,"result":$RESULT}'),)),
    Row((15,), "reply_on_another_session", (Text(b'{"id":$ID,"result":$RESULT,"sessionId":"70AA"}'),)),
    Row((16, 53), "error_without_id", (Text(b'{"error":{"code":-32700,"message":"JSON: syntax error"}}'), ANSWER)),
    Row(
        (25,),
        "no_such_session",
        (Text(b'{"id":$ID,"error":{"code":-32001,"message":"Session with given id not found."}}'),),
        on_session=True,
    ),
    Row(
        (27,),
        "navigated_while_it_ran",
        (Text(b'{"id":$ID,"error":{"code":-32000,"message":"Inspected target navigated or closed"}}'),),
        on_session=True,
    ),
    Row((54,), "reply_lacks_a_field", (Text(b'{"id":$ID,"result":{"protocolVersion":"1.3"}}'),)),
    Row((54,), "reply_is_null", (Text(b'{"id":$ID,"result":null}'),)),
    Row((54,), "neither_result_nor_error", (Text(b'{"id":$ID}'),)),
)

_TEXTS = (
    Row((17, 51), "invalid_json", (Text(b"{oops"), ANSWER)),
    Row((17,), "invalid_json_a_hundred_times", (Text(b"{oops", times=100),)),
    Row((17,), "empty_text", (Text(b""), ANSWER)),
    Row((17, 52), "json_array", (Text(b"[1]"), ANSWER)),
    Row((17,), "json_null", (Text(b"null"), ANSWER)),
    Row((17,), "neither_reply_nor_event", (Text(b'{"hello":"world"}'), ANSWER)),
    Row((18,), "reply_in_a_binary_frame", (Binary(ANSWER.data),), websocket_only=True),
    Row((18, 51), "binary_garbage", (Binary(b"\x00\xff\xfe"), ANSWER), websocket_only=True),
    Row((19,), "invalid_utf8", (_event(DIALOG.replace(b"hello", b"hell\xff")), ANSWER)),
    Row((20,), "depth_bomb_in_an_event", (_event(_DEEP), ANSWER)),
    Row((20,), "depth_bomb_in_a_reply", (Text(b'{"id":$ID,"result":' + _DEEP + b"}"),)),
    Row((20,), "giant_integer", (_event(b'{"timestamp":' + b"9" * 5_000 + b"}", b"Page.loadEventFired"), ANSWER)),
    Row((20,), "number_out_of_range", (_event(b'{"timestamp":1e999}', b"Page.loadEventFired"), ANSWER)),
    Row(
        (20,),
        "integer_beyond_64_bits",
        (
            _event(
                _CONSOLE.replace(b'"executionContextId":1', b'"executionContextId":1' + b"0" * 30),
                b"Runtime.consoleAPICalled",
            ),
            ANSWER,
        ),
    ),
    Row((20,), "not_a_number", (_event(b'{"timestamp":NaN}', b"Page.loadEventFired"), ANSWER)),
    Row((21, 60), "lone_surrogate_in_an_event", (_event(DIALOG.replace(b"hello", b"hell\\ud800")), ANSWER)),
    Row(
        (21, 60),
        "lone_surrogate_in_a_reply",
        (Text(b'{"id":$ID,"result":{"result":{"type":"string","value":"\\udc00"}}}'),),
        on_session=True,
    ),
)

_SHAPES = (
    Row((22, 47), "unknown_event", (_event(b'{"a":1}', b"Page.notYetInvented"), ANSWER)),
    Row((22, 47), "unknown_domain", (_event(b'{"a":1}', b"Telepathy.thought"), ANSWER)),
    Row((22,), "new_field", (_event(DIALOG[:-1] + b',"mood":"calm"}'), ANSWER)),
    Row((22, 48), "unknown_enum_value", (_event(DIALOG.replace(b'"alert"', b'"hologram"')), ANSWER)),
    Row((23, 49), "missing_field", (_event(DIALOG.replace(b'"message":"hello",', b"")), ANSWER)),
    Row((23, 49), "null_field", (_event(DIALOG.replace(b'"hello"', b"null")), ANSWER)),
    Row((50,), "event_without_params", (Text(b'{"method":"Page.javascriptDialogClosed"}'), ANSWER)),
)

_TARGETS = (
    Row((24,), "session_detached", (_DETACHED,), on_session=True),
    Row((26,), "frame_changes_its_process", (_DETACHED, _REATTACHED), on_session=True),
    Row((28,), "renderer_crashed", (_on_session(b"{}", b"Inspector.targetCrashed"),), on_session=True),
    Row(
        (28,),
        "renderer_crashed_as_the_browser_tells_it",
        (_event(b'{"targetId":"T1","status":"crashed","errorCode":0}', b"Target.targetCrashed"),),
        on_session=True,
    ),
)

_FLOODS = (
    Row((37,), "console_flood", (Text(_event(_CONSOLE, b"Runtime.consoleAPICalled").data, times=10_000), ANSWER)),
    Row((37,), "event_of_100_mib", (_event(_HUGE, b"Runtime.consoleAPICalled"), ANSWER)),
    Row(
        (38,),
        "ten_thousand_targets",
        (
            *(
                Text(_REATTACHED.data.replace(b"70AA", b"S%d" % number).replace(b'"T1"', b'"T%d"' % number))
                for number in range(10, 10_010)
            ),
            ANSWER,
        ),
    ),
)

ROWS = (*_LINK, *_REPLIES, *_TEXTS, *_SHAPES, *_TARGETS, *_FLOODS)


def _refusal(number: int, status: int, words: str, *fields: str) -> Dial:
    head = "\r\n".join([f"HTTP/1.1 {status} {words}", *fields, "Content-Length: 4", "", "no!\n"])
    return Dial((number,), words.lower().replace(" ", "_"), head.encode(), status)


DIALS = (
    Dial((2,), "never_upgrades", None),
    Dial((2,), "hangs_up", b""),
    Dial((2,), "speaks_no_http", b"220 mail.test ESMTP\r\n\r\n"),
    _refusal(3, 401, "Unauthorized"),
    _refusal(3, 403, "Forbidden"),
    _refusal(3, 410, "Gone"),
    _refusal(4, 429, "Too Many Requests", "Retry-After: 60"),
    _refusal(4, 503, "Service Unavailable", "Retry-After: 60"),
    _refusal(5, 302, "Found", "Location: ws://elsewhere.test/"),
)
