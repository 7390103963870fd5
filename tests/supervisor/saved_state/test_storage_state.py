"""Playwright's `storageState` files: read and written."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cdp_typed.protocol import network
from supervisor.saved_state.checkpoint_values import Checkpoint, IndexedDatabases, InvalidCheckpoint, StorageArea
from supervisor.saved_state.storage_state import read, written
from tests.support.secrets import CANARY

FROM_PLAYWRIGHT = Path(__file__).with_name("playwright_state.json").read_bytes()
"""Written by Playwright 1.65.2 for Python."""
ONE = b'{"cookies": [{"name": "a", "value": "b", "domain": "c", "path": "/", %s}]}'


def test_a_file_of_playwright_is_written_again_byte_for_byte() -> None:
    checkpoint = read(FROM_PLAYWRIGHT)

    assert [cookie.name for cookie in checkpoint.cookies] == ["srv", "ses", "js"]
    assert [cookie.session for cookie in checkpoint.cookies] == [False, True, False]
    assert checkpoint.local_storage == (StorageArea(key="http://127.0.0.1:8765/", items=(("who", "pw ü"),)),)
    assert written(checkpoint) == (FROM_PLAYWRIGHT, ())


def test_a_partitioned_cookie_keeps_its_partition_and_partitioned_storage_is_left_out() -> None:
    first = read(FROM_PLAYWRIGHT).cookies[0]
    key = network.CookiePartitionKey(top_level_site="https://a.test", has_cross_site_ancestor=True)
    cookie = replace(first, partition_key=key)
    area = StorageArea(key="https://b.test/^0https://a.test", items=(("x", "1"),))

    data, left_out = written(Checkpoint(cookies=(cookie,), local_storage=(area,)))

    assert json.loads(data)["cookies"][0]["partitionKey"] == "https://a.test"
    assert json.loads(data)["cookies"][0]["_crHasCrossSiteAncestor"] is True
    assert read(data).cookies[0].partition_key == key
    assert left_out == (
        "localStorage of https://b.test in pages of https://a.test: the format has no partitioned storage",
    )


def test_a_lone_surrogate_is_an_escape_in_the_file() -> None:
    area = StorageArea(key="https://a.test/", items=(("x", "\ud800"),))

    data, _ = written(Checkpoint(local_storage=(area,)))

    assert b'"\\ud800"' in data
    assert read(data).local_storage == (area,)


def test_indexed_db_of_a_file_is_kept_as_it_came() -> None:
    databases: list[dict[str, Any]] = [{"name": "x", "version": 1, "stores": []}]
    origins: list[dict[str, Any]] = [{"origin": "https://a.test", "localStorage": [], "indexedDB": databases}]
    state: dict[str, Any] = {"cookies": [], "origins": origins}
    data = json.dumps(state, indent=2).encode()

    checkpoint = read(data)

    assert checkpoint.indexed_db == (IndexedDatabases(key="https://a.test/", databases=json.dumps(databases)),)
    assert written(checkpoint) == (data, ())
    assert repr(checkpoint.indexed_db[0]) == "<IndexedDatabases https://a.test/>"


cookies = st.fixed_dictionaries(
    {
        "name": st.text(),
        "value": st.text(),
        "domain": st.text(),
        "path": st.text(),
        "expires": st.one_of(st.just(-1), st.integers(0, 253_402_300_799), st.floats(0, 1e11)),
        "httpOnly": st.booleans(),
        "secure": st.booleans(),
        "sameSite": st.sampled_from(["Strict", "Lax", "None"]),
    }
)
items = st.lists(st.fixed_dictionaries({"name": st.text(), "value": st.text()}), min_size=1)
origins = st.lists(st.fixed_dictionaries({"origin": st.text(alphabet="abc:/.?#@ ", min_size=1), "localStorage": items}))
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just("7"), st.just("false")),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@given(st.lists(cookies), origins, st.data())
def test_what_is_read_is_what_was_written_or_refused(
    cookies: list[dict[str, Any]], origins: list[dict[str, Any]], data: st.DataObject
) -> None:
    state: dict[str, Any] = {"cookies": cookies, "origins": list({each["origin"]: each for each in origins}.values())}
    entry = data.draw(st.sampled_from([*state["cookies"], *state["origins"], state]))
    field = data.draw(st.sampled_from(list(entry)))
    assert json.loads(written(read(json.dumps(state).encode()))[0]) == state

    entry[field] = data.draw(anything)
    with contextlib.suppress(InvalidCheckpoint):
        again = json.loads(written(read(json.dumps(state).encode()))[0])
        state["origins"] = [each for each in state["origins"] if each["localStorage"]]
        assert again == state


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"\xff", b'{"cookies": [{"name": "%s"}]}' % CANARY.encode(), b"[" * 100_000]
    + [ONE % field for field in (b'"expires": NaN', b'"expires": 1e999', b'"expires": "7"', b'"httpOnly": "false"')],
)
def test_what_is_no_such_file_is_refused_without_quoting_it(data: bytes) -> None:
    with pytest.raises(InvalidCheckpoint, match="it is no storageState file of Playwright"):
        read(data)
