"""What `connect` takes for an endpoint, and the address that it stands for at the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeAlias, TypeGuard, runtime_checkable

from cdp_typed.endpoint.devtools_active_port import NAME, read_port_file
from cdp_typed.errors import EndpointError
from cdp_typed.transport import Transport

__all__ = ["Address", "Endpoint", "Listening", "Piped", "is_renewable", "locate"]


@runtime_checkable
class Listening(Protocol):
    """A browser that tells its websocket, as `launch()` gives it."""

    @property
    def ws_url(self) -> str: ...


@runtime_checkable
class Piped(Protocol):
    """A browser that is no address but a wire, as `launch(pipe=True)` gives it."""

    async def open_transport(self, *, max_size: int) -> Transport: ...


Address: TypeAlias = str | Path | Callable[[], str | Awaitable[str]] | Listening
Endpoint: TypeAlias = Address | Piped


def is_renewable(endpoint: Address) -> TypeGuard[Callable[[], str | Awaitable[str]]]:
    """Whether the next address of this endpoint may be another one than the last."""
    return callable(endpoint)


async def locate(endpoint: Address, *, timeout: float) -> str:
    """The address now: of a directory what its port file says, of a callable what it returns within `timeout` seconds.

    Raises `EndpointError` (retryable where a port file is missing), and whatever a callable raises.
    """
    if isinstance(endpoint, str):
        return _from_folder(endpoint) if endpoint.startswith(("/", "./", "../", "~")) else endpoint
    if isinstance(endpoint, Path):
        return _from_folder(endpoint)
    if is_renewable(endpoint):
        return await _from_callable(endpoint, timeout)
    assert isinstance(endpoint, Listening)
    return endpoint.ws_url


def _from_folder(named: str | Path) -> str:
    folder = Path(named).expanduser()
    try:
        found = read_port_file(folder)
    except OSError as error:
        raise EndpointError(f"{folder}: {NAME} cannot be read: {error.strerror}", url=str(folder)) from None
    if found is None:
        raise EndpointError(
            f"{folder}: no {NAME} there; is a browser running with --remote-debugging-port and this --user-data-dir?",
            url=str(folder),
            retryable=True,
        )
    port, path = found
    return f"ws://127.0.0.1:{port}{path}"


async def _from_callable(endpoint: Callable[[], str | Awaitable[str]], timeout: float) -> str:
    found = endpoint()
    if not isinstance(found, str):
        patience = asyncio.timeout(timeout)
        try:
            async with patience:
                found = await found
        except TimeoutError:
            if not patience.expired():
                raise
            text = f"the callable for the endpoint gave no URL within {timeout:.1f} s"
            raise EndpointError(text, url="") from None
    return found
