"""`read_answers`: the answers of a HAR file, and of the files beside it that hold bodies."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct, field

from cdp_typed.conversions import decode
from cdp_typed.protocol import fetch

from .har_answers import OF_THE_WIRE, HarAnswer


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
        entries = decode(har, type=_Har).log.entries
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
        sent_text=request.post_data.text if request.post_data is not None else None,
        status=entry.response.status,
        headers=tuple(
            fetch.HeaderEntry(name=header.name, value=value)
            for header in entry.response.headers
            if not header.name.startswith(":") and header.name.lower() not in OF_THE_WIRE
            for value in header.value.split("\n")
        ),
        body_base64=body,
    )


def read_answers(path: Path) -> tuple[HarAnswer, ...]:
    """Return the recorded answers. Raises `OSError` if a file cannot be read, and what `answers_in` raises."""

    def attached(name: str) -> bytes:
        if Path(name).name != name:
            raise ValueError("a body of the HAR file lies outside its folder")
        return (path.parent / name).read_bytes()

    return answers_in(path.read_bytes(), attached)
