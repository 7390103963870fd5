"""`HarAnswer`: the recorded answers of a HAR file, and which of them a request gets."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct, field

from cdp_typed._base import Command
from cdp_typed.protocol import fetch

_OF_THE_WIRE = frozenset({"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"})
"""Headers about the transfer of a body. A HAR file holds the body as it was before that."""


class HarAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a request of a HAR file."""

    method: str
    url: str
    """Without the fragment."""
    post_data: str | None = None
    """A request with another body gets another answer."""
    status: int
    """0: the request failed."""
    headers: tuple[fetch.HeaderEntry, ...] = ()
    body_base64: str = ""

    def command(self, request_id: fetch.RequestId) -> Command[None]:
        """Return the command that gives a held request this answer (`Fetch.fulfillRequest`, `Fetch.failRequest`)."""
        if self.status <= 0:
            return fetch.FailRequest(request_id=request_id, error_reason="Failed")
        return fetch.FulfillRequest(
            request_id=request_id,
            response_code=self.status,
            response_headers=self.headers,
            body=self.body_base64,
        )


class _HarPostData(Struct):
    text: str | None = None


class _HarRequest(Struct, rename="camel"):
    method: str
    url: str
    post_data: _HarPostData | None = None


class _HarHeader(Struct):
    name: str
    value: str


class _HarContent(Struct, frozen=True):
    size: int = 0
    text: str | None = None
    encoding: str = ""
    file: str = field(name="_file", default="")
    """Playwright can keep a body in a file beside the HAR file."""


class _HarResponse(Struct):
    status: int
    headers: list[_HarHeader] = []
    content: _HarContent = _HarContent()


class _HarEntry(Struct):
    request: _HarRequest
    response: _HarResponse


class _HarLog(Struct):
    entries: list[_HarEntry]


class _Har(Struct):
    log: _HarLog


def answers_in(har: bytes, attached: Callable[[str], bytes]) -> tuple[HarAnswer, ...]:
    """Return the answers of a HAR file, without those whose body was not recorded. `attached` reads the file of a body
    by its name. Raises `ValueError` for another file, and for one that was recorded without bodies."""
    try:
        entries = msgspec.json.decode(har, type=_Har).log.entries
    except msgspec.MsgspecError as error:
        raise ValueError(f"it is no HAR file: {error}") from None
    answers = [answer for entry in entries if (answer := _answer(entry, attached)) is not None]
    if entries and not answers:
        raise ValueError("the HAR file was recorded without bodies, so it cannot answer requests")
    return tuple(answers)


def _answer(entry: _HarEntry, attached: Callable[[str], bytes]) -> HarAnswer | None:
    content, request = entry.response.content, entry.request
    if content.text is None and not content.file and content.size > 0:
        return None
    body = content.text or ""
    if content.file:
        body = b64encode(attached(content.file)).decode()
    elif content.encoding != "base64":
        body = b64encode(body.encode()).decode()
    return HarAnswer(
        method=request.method,
        url=request.url.partition("#")[0],
        post_data=request.post_data.text if request.post_data is not None else None,
        status=entry.response.status,
        headers=tuple(
            fetch.HeaderEntry(name=header.name, value=value)
            for header in entry.response.headers
            if not header.name.startswith(":") and header.name.lower() not in _OF_THE_WIRE
            for value in header.value.split("\n")
        ),
        body_base64=body,
    )


def answer_for(answers: Iterable[HarAnswer], method: str, url: str, post_data: str | None) -> HarAnswer | None:
    """Return the first answer to a request with this method, address and body."""
    return next(
        (
            answer
            for answer in answers
            if (answer.method, answer.url) == (method, url)
            and (answer.post_data is None or answer.post_data == (post_data or ""))
        ),
        None,
    )
