"""The reference shows what `async with` gives."""

from __future__ import annotations

import pytest
from griffe import Extensions, Function, Module, load

from website.context_managers import ContextManagers
from website.repository import ROOT


@pytest.mark.parametrize(
    ("module", "name", "returns"),
    [
        ("cdp_typed.helpers.contexts", "new_context", "AbstractAsyncContextManager[BrowserContext]"),
        ("cdp_typed.helpers.request_interception", "intercept", "AbstractAsyncContextManager[None]"),
        ("cdp_typed.helpers.blocking.contexts", "new_context", "AbstractContextManager[SyncBrowserContext]"),
        ("cdp_typed.client.connection", "Connection.new_page", "AbstractAsyncContextManager[Session]"),
        ("cdp_typed.helpers.io_streams", "stream_chunks", "AsyncGenerator[bytes]"),
    ],
)
def test_a_block_is_shown_as_a_context_manager(module: str, name: str, returns: str) -> None:
    loaded = load(module, extensions=Extensions(ContextManagers()), search_paths=[ROOT])

    assert isinstance(loaded, Module)
    function = loaded[name]
    assert isinstance(function, Function)
    assert str(function.returns) == returns
