"""Playwright's `storageState` files: read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.protocol import network
from supervisor.saved_state.checkpoint_values import Checkpoint, IndexedDatabases, InvalidCheckpoint, StorageArea
from supervisor.saved_state.storage_state import read, written
from tests.support.secrets import CANARY

FROM_PLAYWRIGHT = Path(__file__).with_name("playwright_state.json").read_bytes()
"""Written by Playwright 1.65.2 for Python."""


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


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff", b'{"cookies": [{"name": "%s"}]}' % CANARY.encode(), b"[" * 100_000]
)
def test_what_is_no_such_file_is_refused_without_quoting_it(data: bytes) -> None:
    with pytest.raises(InvalidCheckpoint, match="it is no storageState file of Playwright"):
        read(data)
