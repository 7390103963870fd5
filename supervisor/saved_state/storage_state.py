"""A checkpoint in the file format of Playwright's `storageState`."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from cdp_typed.conversions import convert
from cdp_typed.protocol import network

from .checkpoint_values import Checkpoint, IndexedDatabases, InvalidCheckpoint, StorageArea
from .storage_documents import place_of

SESSION = -1
"""`expires` of a cookie that ends with the browser."""
_LAST = 253_402_300_799
"""Seconds since 1970 of the last moment that Playwright takes for `expires`."""


class _Cookie(Struct, frozen=True, kw_only=True, rename="camel"):
    """A cookie, its fields in the order in which Playwright writes them."""

    name: str
    value: str
    domain: str
    path: str
    expires: Annotated[float, Meta(ge=SESSION, le=_LAST)] = SESSION
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Strict", "Lax", "None"] = "Lax"
    has_cross_site_ancestor: bool | UnsetType = msgspec.field(default=UNSET, name="_crHasCrossSiteAncestor")
    partition_key: str | UnsetType = UNSET


class _Item(Struct, frozen=True):
    name: str
    value: str


class _Origin(Struct, frozen=True, kw_only=True, rename="camel"):
    origin: str
    local_storage: tuple[_Item, ...] = ()
    indexed_db: tuple[Any, ...] | UnsetType = msgspec.field(default=UNSET, name="indexedDB")


class _State(Struct, frozen=True, kw_only=True):
    cookies: tuple[_Cookie, ...] = ()
    origins: tuple[_Origin, ...] = ()


def has_place(area: StorageArea | IndexedDatabases) -> bool:
    """Whether the format can hold it: it has no storage of iframes on another site than their page."""
    return "^" not in area.key


def written(checkpoint: Checkpoint) -> tuple[bytes, tuple[str, ...]]:
    """Return the file's bytes, as `JSON.stringify(state, null, 2)` writes them, and one sentence for all that the
    format cannot hold."""
    areas = [area for area in checkpoint.local_storage if area.items]
    kept = [area for area in areas if has_place(area)]
    all_kinds: tuple[StorageArea | IndexedDatabases, ...] = (*areas, *checkpoint.indexed_db)
    left_out = tuple(
        f"{'localStorage' if isinstance(each, StorageArea) else 'IndexedDB'} of {place_of(each.key)}: the format has no"
        " partitioned storage"
        for each in all_kinds
        if not has_place(each)
    )
    databases = {each.key: json.loads(each.databases) for each in checkpoint.indexed_db if has_place(each)}
    items = {area.key: area.items for area in kept}
    state = _State(
        cookies=tuple(_cookie(cookie) for cookie in checkpoint.cookies),
        origins=tuple(
            _Origin(
                origin=key.removesuffix("/"),
                local_storage=tuple(_Item(*item) for item in items.get(key, ())),
                indexed_db=tuple(databases[key]) if key in databases else UNSET,
            )
            for key in dict.fromkeys((*items, *databases))
        ),
    )
    text = json.dumps(msgspec.to_builtins(state), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace"), left_out  # a lone surrogate becomes JSON's escape


def read(data: bytes) -> Checkpoint:
    """Return the checkpoint in a file's bytes.

    Raises `InvalidCheckpoint`, which does not quote the file.
    """
    try:
        state = convert(json.loads(data, parse_constant=_no_number), _State)
    except (ValueError, RecursionError):
        raise InvalidCheckpoint("it is no storageState file of Playwright") from None
    databases = tuple(
        IndexedDatabases(key=f"{each.origin}/", databases=json.dumps(each.indexed_db))
        for each in state.origins
        if each.indexed_db
    )
    areas = tuple(
        StorageArea(key=f"{each.origin}/", items=tuple((item.name, item.value) for item in each.local_storage))
        for each in state.origins
        if each.local_storage
    )
    cookies = tuple(_as_cookie(each) for each in state.cookies)
    return Checkpoint(cookies=cookies, local_storage=areas, indexed_db=databases)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _cookie(cookie: network.Cookie) -> _Cookie:
    partition = cookie.partition_key
    return _Cookie(
        name=cookie.name,
        value=cookie.value,
        domain=cookie.domain,
        path=cookie.path,
        expires=SESSION if cookie.session else _as_javascript(cookie.expires),
        http_only=cookie.http_only,
        secure=cookie.secure,
        same_site=convert(str(cookie.same_site or "Lax"), Literal["Strict", "Lax", "None"]),
        has_cross_site_ancestor=UNSET if partition is None else partition.has_cross_site_ancestor,
        partition_key=UNSET if partition is None else partition.top_level_site,
    )


def _as_cookie(cookie: _Cookie) -> network.Cookie:
    partition = None
    if isinstance(cookie.partition_key, str):
        crosses = cookie.has_cross_site_ancestor is not False
        partition = network.CookiePartitionKey(top_level_site=cookie.partition_key, has_cross_site_ancestor=crosses)
    return network.Cookie(
        name=cookie.name,
        value=cookie.value,
        domain=cookie.domain,
        path=cookie.path,
        expires=cookie.expires,
        size=len(cookie.name) + len(cookie.value),
        http_only=cookie.http_only,
        secure=cookie.secure,
        session=cookie.expires == SESSION,
        same_site=cookie.same_site,
        priority="Medium",
        source_scheme="Unset",
        source_port=-1,
        partition_key=partition,
    )


def _as_javascript(number: float) -> float:
    """The number, without a decimal point in JSON when it is whole, as JavaScript writes it."""
    return int(number) if number.is_integer() else number
