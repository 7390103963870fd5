"""The place of an error in the source that a bundler or a compiler made a script of, by the script's source map."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections.abc import Iterator
from string import ascii_letters, digits
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


class SourceMap(Struct, frozen=True, rename={"source_root": "sourceRoot"}):
    """A source map of version 3 (ECMA-426)."""

    sources: list[str | None]
    mappings: str
    source_root: str | None = None

    def place(self, line: int, column: int) -> tuple[str, int, int] | None:
        """The source, the line and the column that made this place of the script. All numbers are from 1."""
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
                    found = None if name is None else (name, from_line + 1, from_column + 1)
        return found


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


async def source_place(supervisor: AsyncSupervisor, page: FrameInfo, url: str, line: int, column: int) -> str:
    """Where this place of a script is in its source, as `http://localhost/src/app.ts:4:18`; empty where nothing tells.

    A script of the page's own site is loaded as the page loads it (`Network.loadNetworkResource`), and its map from
    that site, too, or out of the script: a page names its scripts and their maps as it likes.
    """
    with contextlib.suppress(CDPError, TimeoutError, ValueError, LookupError):  # also an address that is none
        async with asyncio.timeout(WITHIN_S):
            if urlsplit(url)[:2] != urlsplit(page.url)[:2]:
                return ""
            named = _NAMES_MAP.search(await _load(supervisor, page.frame_id, url))
            if named is None:
                return ""
            map_url = urljoin(url, named[1].decode())
            if map_url.startswith("data:"):
                head, _, data = map_url.partition(",")
                text = base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
                map_url = url
            elif urlsplit(map_url)[:2] == urlsplit(url)[:2]:
                text = await _load(supervisor, page.frame_id, map_url)
            else:
                return ""
            source_map = decode(text, type=SourceMap)
            place = await asyncio.to_thread(source_map.place, line, column)
            if place is not None:
                source = urljoin(map_url, f"{source_map.source_root or ''}{place[0]}")
                return f"{source}:{place[1]}:{place[2]}"
    return ""


async def _load(supervisor: AsyncSupervisor, frame_id: str, url: str) -> bytes:
    """Raises `ValueError` for what cannot be loaded, and for what is too long."""
    options = network.LoadNetworkResourceOptions(disable_cache=False, include_credentials=True)
    command = network.LoadNetworkResource(frame_id=FrameId(frame_id), url=url, options=options)
    handle = (await supervisor.send(command, frame_id)).resource.stream
    if handle is None:
        raise ValueError(url)
    loaded = bytearray()
    try:
        while len(loaded) < MOST_BYTES:
            part = await supervisor.send(io.Read(handle=handle), frame_id)
            loaded += base64.b64decode(part.data) if part.base64_encoded else part.data.encode()
            if part.eof:
                return bytes(loaded)
    finally:
        with contextlib.suppress(CDPError):
            await supervisor.send(io.Close(handle=handle), frame_id)
    raise ValueError(url)
