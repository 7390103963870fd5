"""A helper that gets a tab of the other client says which helper is meant, before it does anything."""

from __future__ import annotations

import inspect
import pickle
from types import FunctionType, ModuleType
from typing import Any

import pytest

from cdp_typed import SyncConnection, SyncSession, connect, connect_sync, helpers
from cdp_typed.client.connection import Connection
from cdp_typed.client.session import Session
from cdp_typed.helpers import blocking
from cdp_typed.mock import ThreadedMockServer


def taking_a_client(module: ModuleType) -> dict[str, int]:
    """The public functions of a module that take a tab or a browser, each with the number of further arguments."""
    found: dict[str, int] = {}
    for name in module.__all__:
        function = getattr(module, name)
        if isinstance(function, FunctionType) and name != "devices":
            first, *others = inspect.signature(function).parameters.values()
            assert first.name in {"tab", "browser", "browser_or_tab"}
            found[name] = sum(each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD for each in others)
    return found


NAMES = taking_a_client(helpers)


@pytest.fixture(scope="module")
def of_blocking_client() -> Any:
    with ThreadedMockServer() as mock, connect_sync(mock.url) as browser:
        yield browser, browser.open_page()


@pytest.mark.parametrize("name", NAMES)
def test_async_helpers_refuse_a_blocking_tab(name: str, of_blocking_client: tuple[SyncConnection, SyncSession]) -> None:
    for given in of_blocking_client:
        with pytest.raises(TypeError) as raised:
            getattr(helpers, name)(given, *[""] * NAMES[name])

        assert str(raised.value) == (
            f"this {name} is async, and {type(given).__name__} is of the blocking client: "
            f"from cdp_typed.helpers.blocking import {name}"
        )


async def test_a_blocking_helper_refuses_an_async_tab() -> None:
    with ThreadedMockServer() as mock:
        async with connect(mock.url) as browser, browser.new_page() as tab:
            for name, others in taking_a_client(blocking).items():
                assert_refused(name, browser, others)
                assert_refused(name, tab, others)


def assert_refused(name: str, given: Connection | Session, others: int) -> None:
    with pytest.raises(TypeError) as raised:
        getattr(blocking, name)(given, *[""] * others)

    assert str(raised.value) == (
        f"this {name} is blocking, and {type(given).__name__} is of the async client: "
        f"from cdp_typed.helpers import {name}, and await it"
    )


def test_a_helper_is_a_function_like_any_other() -> None:
    assert "stream_chunks" in NAMES
    for name in NAMES:
        function = getattr(helpers, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert inspect.getdoc(function)
