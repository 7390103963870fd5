"""Page text in results: made visible, capped, and marked as untrusted."""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, TypeVar

from msgspec import Meta, inspect

from cdp_typed.printable import is_plain, visible
from cdp_typed.wire.json_text import is_object

T = TypeVar("T")

LIMIT = 2_000
LONG = 100_000
"""Most characters of a text that the caller asked for as the answer."""
WHOLE = 200_000
"""About as many characters has a whole result at most."""
ANSWER = 8_000
"""The same for a host that cuts results: most cut those of 10,000 in the middle."""
_MARKS = 4
"""Characters that count for the marks around a key, or a list."""
_WAY = "Ask for less, for a part (in a script: slice), or, where the tool can, for a file."

_KEY = "untrusted"
_LINES = "lines"

PageText: TypeAlias = Annotated[str, Meta(extra={_KEY: LIMIT})]
"""The type of a result's field that holds a page's text. At most 2,000 characters of it are shown."""

LongPageText: TypeAlias = Annotated[str, Meta(extra={_KEY: LONG})]
"""The same for a text that is the answer: at most 100,000 characters."""

QuotedLines: TypeAlias = Annotated[str, Meta(extra={_KEY: LONG, _LINES: True})]
"""The same for our own lines, in which every text of a page is inside quotes that it cannot leave."""

PageValue: TypeAlias = Annotated[Any, Meta(extra={_KEY: LONG})]
"""The same for plain data from a page: every text in it, keys included."""


_COUNT = re.compile(r"\.\.\. \((\d{1,12}) more characters\)$")
"""The end of a text that was cut before."""


def shown(text: str, limit: int = LIMIT, *, was_cut: bool = False) -> str:
    """The text with what cannot be seen as escapes (see `cdp_typed.printable.visible`); lines and tabs stay.

    At most `limit` characters of it are shown; what is cut is counted. With `was_cut` it ends with such a count, which
    is added.
    """
    kept = text[:limit]
    if not is_plain(kept):
        kept = "\n".join("\t".join(visible(cell, limit) for cell in line.split("\t")) for line in kept.split("\n"))
    if len(text) <= limit:
        return kept
    earlier = _COUNT.search(text) if was_cut else None
    more = len(text) - limit + (int(earlier[1]) - len(earlier[0]) if earlier else 0)
    return f"{kept}... ({more} more characters)"


_PLAIN_ADDRESS = re.compile(r"""((https?|wss?|file)://|about:|/)[!#-&*-;=?-Z\\^_a-~]*""")


def is_plain_address(text: str) -> bool:
    """True for an address, or a path, that needs no quotes: nothing in it ends it, or looks like anything else."""
    return _PLAIN_ADDRESS.fullmatch(text) is not None


def fence(text: str, nonce: str | None = None) -> str:
    """Page text of several lines for a model: between two lines with a `nonce` that does not occur in the text.

    The text has gone through `shown` already.
    """
    mark = nonce or secrets.token_hex(2)
    while f"page {mark}" in text:
        mark = secrets.token_hex(len(mark))
    return f"<page {mark}>\n{text}\n</page {mark}>"


class _Room:
    """The room that a result has left, the paths of its page text, and by path the entries that found none."""

    def __init__(self, left: float, *, is_second: bool = False) -> None:
        self.paths: dict[str, None] = {}
        self.cut: dict[str, int] = {}
        self.left = left
        self.is_second = is_second
        """The texts have their limits already."""
        self.is_short = False
        self.rows = self.lines = self
        """The room of the entries of lists, and of our own lines."""

    def text(self, text: str, limit: int) -> str:
        """The text, as far as there is room for it."""
        most = int(max(min(len(text) if self.is_second else limit, self.left), 0))
        was_cut = self.is_second and len(text) > limit
        kept = shown(text, most, was_cut=was_cut)
        size = len(json.dumps(kept, ensure_ascii=False))
        if size > self.left > 0:
            kept = shown(text, most * most // size, was_cut=was_cut)
        self.is_short |= len(text) > most or size > self.left
        self.left -= size + 1
        return kept

    def take(self, *values: object) -> None:
        """Take the room of keys, and of values that are no text of a page."""
        self.left -= sum(len(str(value)) + _MARKS for value in values)

    def fitting(self, items: Collection[T], path: str) -> Iterator[T]:
        """The entries for which there is room."""
        for number, item in enumerate(items):
            if self.left <= 0:
                self.cut[path] = self.cut.get(path, 0) + len(items) - number
                return
            yield item


def sanitise(value: Any, kind: Any) -> tuple[Any, tuple[str, ...]]:
    """A result as plain data with its page text shown, and the paths of the fields that hold page text.

    A result has room for `WHOLE` characters; `cut` says which entries of lists and objects are left out.
    """
    room = _Room(WHOLE)
    clean = _clean(value, _info(kind), "", room)
    if room.cut:
        clean = {**clean, "cut": _reported(room.cut)}
    return clean, tuple(room.paths)


def shortened(result: dict[str, Any], kind: Any, *, has_limit: bool) -> dict[str, Any]:
    """A result with at most `ANSWER` characters of what a page or the browser answered; `cut` says what is left out.

    Our own lines stay, and with `has_limit` lists, whose length is the caller's choice.
    """
    room = _Room(ANSWER, is_second=True)
    room.lines = _Room(math.inf, is_second=True)
    room.rows = room.lines if has_limit else room
    clean = _clean(result, _info(kind), "", room)
    if not (room.cut or room.is_short):
        return result
    return {**clean, "cut": [*result.get("cut", ()), *_reported(room.cut), _WAY]}


def _reported(cut: Mapping[str, int]) -> list[str]:
    return [f"{path}: {number} more" for path, number in cut.items()]


Mark: TypeAlias = Literal["ours", "page", "lines"]
"""The origin of a field's text: this package, a page, or both, in lines where the page's part is quoted."""


@lru_cache(maxsize=256)
def marks(kind: Any) -> Mapping[str, Mark]:
    """The origin of every text that a result of this type may hold, by its path; a path that is missing is a page's."""
    noted: dict[str, Mark] = {}
    _mark(_info(kind), "", noted, ())
    return noted


def _mark(info: inspect.Type, path: str, noted: dict[str, Mark], above: tuple[type, ...]) -> None:
    match info:
        case inspect.Metadata(type=inner):
            if _limit(info) is None:
                _mark(inner, path, noted, above)
            else:
                noted[path] = "lines" if _extra(info).get(_LINES) else "page"
        case inspect.StructType(cls=cls, fields=fields) if cls not in above:
            for field in fields:
                _mark(field.type, f"{path}.{field.encode_name}".lstrip("."), noted, (*above, cls))
        case inspect.CollectionType(item_type=inner):
            _mark(inner, f"{path}[]", noted, above)
        case inspect.UnionType(types=types):
            for member in types:
                _mark(member, path, noted, above)
        case inspect.StrType() | inspect.LiteralType():
            noted.setdefault(path, "ours")
        case _:
            pass


@lru_cache(maxsize=256)
def _info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _clean(value: Any, info: inspect.Type, path: str, room: _Room) -> Any:
    match info:
        case inspect.Metadata(type=inner):
            limit = _limit(info)
            if limit is None:
                return _clean(value, inner, path, room)
            if value not in (None, ""):
                room.paths[path] = None
            return _clean_all(value, limit, path, room.lines if _extra(info).get(_LINES) else room)
        case inspect.StructType() if is_picture(value):
            return value
        case inspect.StructType(fields=fields) if is_object(value):
            room.take(*value)
            kinds = {field.encode_name: field.type for field in fields}
            return {
                key: _clean(item, kinds[key], f"{path}.{key}".lstrip("."), room) if key in kinds else item
                for key, item in value.items()
            }
        case inspect.DictType(value_type=inner) if is_object(value):
            kept: dict[str, Any] = {}
            for key, item in room.fitting(value.items(), path):
                room.take(key)
                kept[key] = _clean(item, inner, f"{path}.*", room)
            return kept
        case inspect.CollectionType(item_type=inner) if is_items(value):
            rows = room.rows
            return [_clean(item, inner, f"{path}[]", rows) for item in rows.fitting(value, path)]
        case inspect.TupleType(item_types=kinds) if is_items(value):
            return [_clean(item, kind, f"{path}[]", room) for item, kind in zip(value, kinds, strict=True)]
        case inspect.UnionType(types=types):
            return _clean(value, next((kind for kind in types if _fits(value, kind)), inspect.AnyType()), path, room)
        case _:
            room.take(value)
            return value


def _limit(info: inspect.Metadata) -> int | None:
    return _extra(info).get(_KEY)


def _extra(info: inspect.Metadata) -> dict[str, int]:
    return getattr(info, "extra", None) or {}


def _fits(value: Any, info: inspect.Type) -> bool:
    match info:
        case inspect.Metadata(type=inner):
            return _fits(value, inner)
        case inspect.StructType() | inspect.DictType():
            return is_object(value)
        case inspect.CollectionType() | inspect.TupleType():
            return is_items(value)
        case inspect.StrType():
            return isinstance(value, str)
        case _:
            return False


def _clean_all(value: Any, limit: int, path: str, room: _Room) -> Any:
    if isinstance(value, str):
        return room.text(value, limit)
    if is_object(value):
        entries = room.fitting(value.items(), path)
        return {room.text(key, limit): _clean_all(item, limit, path, room) for key, item in entries}
    if is_items(value):
        room.left -= _MARKS
        return [_clean_all(item, limit, path, room) for item in room.fitting(value, path)]
    room.take(value)
    return value


def is_items(value: Any) -> TypeGuard[Sequence[Any]]:
    """Return True for a list or a tuple: both become an array in JSON, and a browser's arrays are tuples."""
    return isinstance(value, (list, tuple))


def is_picture(value: Any) -> bool:
    """Whether this JSON is an `Image`."""
    return is_object(value) and set(value) == {"mime_type", "data"} and str(value["mime_type"]).startswith("image/")


def texts(value: Any) -> Iterator[str]:
    """Every text in plain data, keys included."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif is_items(value):
        for item in value:
            yield from texts(item)
