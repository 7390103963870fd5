"""The kinds of endpoint that `connect` takes, and the current address of each."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeGuard, overload, runtime_checkable

from cdp_typed.endpoint.devtools_active_port import NAME, read_port_file
from cdp_typed.endpoint.running import WAYS, is_usual_directory, usual_port_file_of
from cdp_typed.errors import EndpointError
from cdp_typed.transport import Transport


@runtime_checkable
class Listening(Protocol):
    """A browser with the address of its websocket, as `launch()` returns it."""

    @property
    def ws_url(self) -> str: ...


@runtime_checkable
class Piped(Protocol):
    """A browser that has a pipe instead of an address, as `launch(pipe=True)` and `SharedBrowser` are."""

    async def open_transport(self, *, max_size: int) -> Transport: ...


Renewable: TypeAlias = Callable[[], str | Listening | Piped | Awaitable[str | Listening | Piped]]
Address: TypeAlias = str | int | Path | Renewable | Listening
Endpoint: TypeAlias = Address | Piped

# Of any system on every system: no URL begins like this.
_FOLDER = re.compile(r"[/~]|\.{1,2}[/\\]|\\\\|[A-Za-z]:[/\\](?!/)")


def is_renewable(endpoint: Endpoint) -> TypeGuard[Renewable]:
    """Return True for a callable, whose next address may differ from its last."""
    return callable(endpoint)


@overload
async def locate(endpoint: str | int | Path | Listening, *, timeout: float) -> str: ...
@overload
async def locate(endpoint: Address, *, timeout: float) -> str | Piped: ...
async def locate(endpoint: Address, *, timeout: float) -> str | Piped:
    """Return the address now: from a directory's port file, or from a callable, which has `timeout` seconds.

    A callable may return a browser in place of an address.

    Raises `EndpointError` (retryable where a port file is missing), and any exception of the callable.
    """
    if isinstance(endpoint, int):
        return _of_port(endpoint)
    if isinstance(endpoint, str):
        if endpoint.isdecimal():
            return _of_port(int(endpoint))
        return _from_folder(endpoint) if _FOLDER.match(endpoint) else endpoint
    if isinstance(endpoint, Path):
        return _from_folder(endpoint)
    if is_renewable(endpoint):
        return await _from_callable(endpoint, timeout)
    assert isinstance(endpoint, Listening)
    return endpoint.ws_url


def port_file_of(endpoint: Endpoint, websocket: str) -> Path | None:
    """Return the port file that names a browser's websocket: in the directory that is the endpoint, or a usual one."""
    if isinstance(endpoint, Path) or (isinstance(endpoint, str) and _FOLDER.match(endpoint)):
        folder = Path(endpoint).expanduser()
        return folder if folder.name == NAME else folder / NAME
    return usual_port_file_of(websocket)


def check_endpoint(endpoint: Any) -> None:
    """Raise what is wrong with an endpoint before anything is dialled.

    `EndpointError` for a number that is no port, `TypeError` for what is no endpoint at all.
    """
    if isinstance(endpoint, (str, Path, Listening, Piped)) or is_renewable(endpoint):
        if isinstance(endpoint, str) and endpoint.isdecimal():
            _of_port(int(endpoint))
        return
    if isinstance(endpoint, int) and not isinstance(endpoint, bool):
        _of_port(endpoint)
        return
    if hasattr(endpoint, "start") and hasattr(endpoint, "__aenter__"):
        raise TypeError(
            "launch(...) has not started a browser yet: async with launch() as browser, connect(browser) as connection"
            "; or browser = await launch(); in code that is not async: with launch() as browser"
        )
    raise TypeError(
        "an endpoint is a URL, host:port, a port, a user data directory, a callable that returns a URL, or a browser "
        f"of cdp_typed.launch.launch, not an object of type {type(endpoint).__name__}"
    )


def _of_port(port: int) -> str:
    if not 0 < port < 65_536:
        raise EndpointError(f"{port}: not a port, which is a number from 1 to 65535", url=str(port))
    return f"http://127.0.0.1:{port}"


def _from_folder(path: str | Path) -> str:
    folder = Path(path).expanduser()
    try:
        content = read_port_file(folder)
    except OSError as error:
        # On Windows the browser may hold the file at this moment, while it writes it.
        is_held = isinstance(error, PermissionError)
        text = f"{folder}: {NAME} cannot be read: {error.strerror}"
        raise EndpointError(text, url=str(folder), retryable=is_held) from None
    if content is None:
        question = "is a browser running with --remote-debugging-port and this --user-data-dir?"
        hint = WAYS if is_usual_directory(folder) else question
        raise EndpointError(f"{folder}: no {NAME} there; {hint}", url=str(folder), retryable=True)
    port, websocket_path = content
    return f"ws://127.0.0.1:{port}{websocket_path}"


async def _from_callable(endpoint: Renewable, timeout: float) -> str | Piped:
    address = endpoint()
    if not isinstance(address, (str, Listening, Piped)):
        deadline = asyncio.timeout(timeout)
        try:
            async with deadline:
                address = await address
        except TimeoutError:
            if not deadline.expired():
                raise
            text = f"the callable for the endpoint gave no URL within {timeout:.1f} s"
            raise EndpointError(text, url="") from None
    return address.ws_url if isinstance(address, Listening) else address
