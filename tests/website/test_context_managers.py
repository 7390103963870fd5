"""The reference shows what `async with` gives."""

from __future__ import annotations

from griffe import Extensions, Function, Module, load

from website.context_managers import ContextManagers
from website.repository import ROOT

RETURNS = {
    "helpers.contexts.new_context": "AbstractAsyncContextManager[BrowserContext]",
    "helpers.request_interception.intercept": "AbstractAsyncContextManager[None]",
    "helpers.blocking.contexts.new_context": "AbstractContextManager[SyncBrowserContext]",
    "client.connection.Connection.new_page": "AbstractAsyncContextManager[Session]",
    "helpers.io_streams.stream_chunks": "AsyncGenerator[bytes]",
}


def test_a_block_is_shown_as_a_context_manager() -> None:
    package = load("cdp_typed", extensions=Extensions(ContextManagers()), search_paths=[ROOT])
    assert isinstance(package, Module)

    functions = {name: package[name] for name in RETURNS}

    assert all(isinstance(function, Function) for function in functions.values())
    assert {name: str(function.returns) for name, function in functions.items()} == RETURNS
