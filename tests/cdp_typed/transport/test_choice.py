"""Which library is taken, and what is said when it is not there."""

from __future__ import annotations

import sys
from typing import Any, cast

import pytest

from cdp_typed import connect
from cdp_typed.transport.choice import choose
from cdp_typed.transport.picows import open_picows
from cdp_typed.transport.websocket import open_websocket


def test_each_name_means_its_library() -> None:
    assert choose("websockets") is open_websocket
    assert choose("picows") is open_picows


def test_another_name_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="transport must be 'websockets' or 'picows', not 'aiohttp'"):
        _ = connect("127.0.0.1:1", transport=cast("Any", "aiohttp"))


def test_a_library_that_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picows", None)
    monkeypatch.delitem(sys.modules, "cdp_typed.transport.picows")

    with pytest.raises(ImportError, match=r"needs the extra 'fast': pip install 'cdp-typed\[fast\]'"):
        _ = connect("127.0.0.1:1", transport="picows")
