"""The places of messages in the sources that a bundler or a compiler made a script of, by the script's source map."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_letters, digits
from typing import Any
from urllib.parse import unquote_to_bytes, urljoin, urlsplit

from msgspec import Struct

from cdp_typed.conversions import decode
from cdp_typed.errors import CDPError
from cdp_typed.protocol import io, network
from cdp_typed.protocol.page import FrameId
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo

MOST_BYTES = 4_000_000
"""The size of a script or a map that is read: a longer one takes seconds to decode."""
WITHIN_S = 2.0

_NAMES_MAP = re.compile(rb"//[#@] ?sourceMappingURL=(\S+)\s*$")
_DIGITS = {digit: number for number, digit in enumerate(f"{ascii_letters[26:]}{ascii_letters[:26]}{digits}+/")}


class SourceMap(Struct, frozen=True, rename="camel"):
    """A source map of version 3 (ECMA-426)."""

    sources: list[str | None] = []
    mappings: str = ""
    source_root: str | None = None
    sections: list[Section] = []
    """Maps for the parts of a script, in their order, in place of one for all of it."""

    def place(self, line: int, column: int) -> tuple[str, int, int] | None:
        """The source, the line and the column that made this place of the script. All numbers are from 1."""
        for section in reversed(self.sections):
            down, right = line - section.offset.line, column - section.offset.column
            if down > 1 or (down == 1 and right > 0):
                return section.map.place(down, right if down == 1 else column)
        source = from_line = from_column = 0
        found = None
        for number, row in enumerate(self.mappings.split(";")[:line], 1):
            at = 1
            for segment in filter(None, row.split(",")):
                by, *origin = _numbers(segment)
                at += by
                if number == line and at > column:
                    return found
                if origin:
                    source, from_line, from_column = source + origin[0], from_line + origin[1], from_column + origin[2]
                if number == line:
                    name = self.sources[source] if origin else None
                    root = f"{self.source_root.rstrip('/')}/" if self.source_root else ""
                    found = None if name is None else (f"{root}{name}", from_line + 1, from_column + 1)
        return found


class _Offset(Struct, frozen=True):
    """Where a section begins. Both numbers are from 0."""

    line: int
    column: int


class Section(Struct, frozen=True):
    """A part of a script, and its map."""

    offset: _Offset
    map: SourceMap


def _numbers(segment: str) -> Iterator[int]:
    """The numbers of a segment, which are written in base 64 as variable-length quantities."""
    value = shift = 0
    for digit in segment:
        number = _DIGITS[digit]
        value |= (number & 31) << shift
        shift += 5
        if number < 32:
            yield -(value >> 1) if value & 1 else value >> 1
            value = shift = 0


async def with_sources(
    supervisor: AsyncSupervisor, page: FrameInfo, messages: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The messages of a console, those from scripts with a map with their `source`: `http://localhost/src/app.ts:4:18`.

    A script of the page's own site is loaded as the page loads it (`Network.loadNetworkResource`), and its map from
    that site, too, or out of the script: a page names its scripts and their maps as it likes.
    """
    told, maps = [dict(message) for message in messages], dict[str, tuple[str, SourceMap] | None]()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(WITHIN_S):
            for message in reversed(told):  # the newest first, while there is time
                if not {"url", "line", "column"} <= {*message}:
                    continue
                url = message["url"]
                if url not in maps:
                    maps[url] = await _map_of(supervisor, page, url)
                if (named := maps[url]) is None:
                    continue
                with contextlib.suppress(LookupError):  # a map that is broken
                    place = await asyncio.to_thread(named[1].place, message["line"], message["column"])
                    if place is not None:
                        message["source"] = f"{urljoin(named[0], place[0])}:{place[1]}:{place[2]}"
    return told


async def _map_of(supervisor: AsyncSupervisor, page: FrameInfo, url: str) -> tuple[str, SourceMap] | None:
    """The map of a script, and the address that its sources are relative to; None where nothing tells."""
    with contextlib.suppress(CDPError, ValueError):  # also an address that is none
        if urlsplit(url)[:2] != urlsplit(page.url)[:2]:
            return None
        script, named = await _load(supervisor, page.frame_id, url)
        comment = _NAMES_MAP.search(script)
        map_url = urljoin(url, named or (comment[1].decode() if comment is not None else ""))
        if map_url.startswith("data:"):
            head, _, data = map_url.partition(",")
            text = base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
            return url, decode(text, type=SourceMap)
        if map_url != url and urlsplit(map_url)[:2] == urlsplit(url)[:2]:
            return map_url, decode((await _load(supervisor, page.frame_id, map_url))[0], type=SourceMap)
    return None


async def _load(supervisor: AsyncSupervisor, frame_id: str, url: str) -> tuple[bytes, str]:
    """What is at an address, and the source map that the response names, if any.

    Raises `ValueError` for what cannot be loaded, and for what is too long.
    """
    options = network.LoadNetworkResourceOptions(disable_cache=False, include_credentials=True)
    command = network.LoadNetworkResource(frame_id=FrameId(frame_id), url=url, options=options)
    resource = (await supervisor.send(command, frame_id)).resource
    handle, headers = resource.stream, {name.lower(): text for name, text in (resource.headers or {}).items()}
    if handle is None:
        raise ValueError(url)
    loaded = bytearray()
    try:
        while len(loaded) < MOST_BYTES:
            part = await supervisor.send(io.Read(handle=handle), frame_id)
            loaded += base64.b64decode(part.data) if part.base64_encoded else part.data.encode()
            if part.eof:
                return bytes(loaded), str(headers.get("sourcemap") or headers.get("x-sourcemap") or "")
    finally:
        with contextlib.suppress(CDPError):
            await supervisor.send(io.Close(handle=handle), frame_id)
    raise ValueError(url)
