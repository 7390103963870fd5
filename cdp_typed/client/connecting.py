"""A dial of a browser's websocket, in front of which a person may be asked."""

from __future__ import annotations

import ssl as tls
from collections.abc import Callable, Mapping

from cdp_typed.addresses import Undisclosed
from cdp_typed.client.consent import CONSENT_TIMEOUT, Consent
from cdp_typed.endpoint.discovery import Resolved
from cdp_typed.endpoint.sources import Endpoint, port_file_of
from cdp_typed.errors import EndpointError
from cdp_typed.transport.keepalive import PING_INTERVAL
from cdp_typed.transport.websocket import WebSocketTransport, open_websocket


class Dial(Undisclosed, frozen=True, kw_only=True):
    """The arguments of a dial; those of `cdp_typed.connect` mean the same here."""

    max_size: int
    headers: Mapping[str, str] | None
    proxy: str | None
    ssl: tls.SSLContext | None
    ping_interval: float | None = PING_INTERVAL
    consent_timeout: float = CONSENT_TIMEOUT
    on_consent: Callable[[str], object] | None

    async def open(
        self, endpoint: Endpoint, resolved: Resolved, *, open_timeout: float
    ) -> tuple[WebSocketTransport, bool]:
        """Open the websocket of an endpoint, and return also whether a person had to allow it.

        Of the programs that dial one browser, one at a time asks its person. Raises `EndpointError`, and `NotAllowed`
        when the person refuses or does not answer.
        """
        consent = Consent(resolved.url, timeout=self.consent_timeout, on_consent=self.on_consent)
        async with consent.turn(port_file_of(endpoint, resolved.url)):
            try:
                transport = await open_websocket(
                    resolved.url,
                    open_timeout=open_timeout,
                    max_size=self.max_size,
                    headers=self.headers,
                    proxy=self.proxy,
                    ssl=self.ssl,
                    ping_interval=self.ping_interval,
                    v8_version=resolved.v8_version,
                    watch=consent.watch,
                )
            except EndpointError as error:
                raise consent.explain(error) from None
        return transport, consent.is_asked
