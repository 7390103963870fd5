"""Opens a connection; one that a person had to allow is shared, so that the person is asked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed import Connection, connect
from cdp_typed.client.connect import Opening
from cdp_typed.transport import Transport
from supervisor.config import Config

if TYPE_CHECKING:
    from cdp_typed.launch import SharedBrowser


OPEN_TIMEOUT_S = 10.0


class OpenedConnection(Struct, frozen=True):
    """A connection, and the browser that it shares with further ones if a person had to allow it."""

    connection: Connection
    shared: SharedBrowser | None = None

    def config_of_others(self, config: Config) -> Config:
        """Return settings with which further connections to the browser ask nobody."""
        shared = self.shared
        return config if shared is None else replace(config, cdp_url=lambda: shared)

    async def aclose(self) -> None:
        """End the connection, and those that share the browser with it."""
        await self.connection.close()
        if self.shared is not None:
            await self.shared.close()


def opening_of(
    config: Config, *, open_timeout_s: float = OPEN_TIMEOUT_S, on_consent: Callable[[str], object] | None = None
) -> Opening:
    """Call `connect` with a supervisor's settings. Raises what `connect` raises.

    With the settings of `config_of_others` it opens a further connection, for what neither the core nor a flight
    recording should see: `async with opening_of(...) as connection:`.
    """
    return connect(
        config.cdp_url,
        open_timeout=open_timeout_s,
        headers=config.headers,
        proxy=config.proxy,
        ssl=config.ssl,
        ping_interval=config.ping_interval_s,
        on_consent=on_consent,
    )


class _Opened(Struct, frozen=True):
    """A transport that is open already, as the `Piped` that a shared browser takes."""

    transport: Transport

    async def open_transport(self, *, max_size: int) -> Transport:
        return self.transport


async def open_connection(opening: Opening) -> OpenedConnection:
    """Open what `connect` returned, on the loop thread. Raises what `connect` raises."""
    transport, resolved = await opening.open_transport()
    if not opening.asked_person:
        return OpenedConnection(opening.over(transport, resolved))
    from cdp_typed.launch import SharedBrowser

    shared = await SharedBrowser.open(_Opened(transport))
    return OpenedConnection(await connect(shared, command_timeout=opening.command_timeout), shared)
