"""Bodies of failures and of JSON, which stay when the browser gives up bodies."""

from __future__ import annotations

import asyncio
import base64
from contextlib import nullcontext
from functools import partial

from cdp_typed.protocol import network
from supervisor.core.state.observed import NetworkRequests, SeenRequest
from supervisor.core.vocabulary.inputs import EventReceived, Input

from .reconnecting_connection import ReconnectingConnection
from .recorder import Recorder

MOST_BYTES = 20 * 2**20
MOST_BYTES_EACH = 2 * 2**20
_ENTRY_BYTES = 1_000
"""The bytes that an empty body counts as, so that their number is bounded, too."""
TIMEOUT_S = 30.0


class KeptBodies:
    """Reads such bodies when they have loaded. Its commands go by the core and the recorded traffic."""

    def __init__(self, connection: ReconnectingConnection, recorder: Recorder | None) -> None:
        self._connection = connection
        self._recorder = recorder
        self._bodies: dict[tuple[str, str], tuple[int, bytes]] = {}

    def see(self, received: Input, requests: NetworkRequests) -> None:
        """Read the body of a request that has ended with this input."""
        if not isinstance(received, EventReceived) or not isinstance(received.event, network.LoadingFinished):
            return
        named = [each for each in requests.recent.values() if each.request_id == received.event.request_id]
        if named and named[-1].worth and received.event.encoded_data_length <= MOST_BYTES_EACH:
            keep, command = partial(self._keep, named[-1]), network.GetResponseBody(request_id=named[-1].request_id)
            with self._recorder.silence() if self._recorder is not None else nullcontext():
                self._connection.send(command, named[-1].session_id, TIMEOUT_S, keep)

    def get(self, seen: SeenRequest) -> bytes | None:
        """Return the body of this request, if it is kept."""
        return self._bodies.get((seen.session_id, seen.request_id), (0, None))[1]

    def _keep(self, seen: SeenRequest, reading: asyncio.Future[network.GetResponseBodyResult]) -> None:
        """Keep a body, and give up others: those of JSON before those of failures, then the oldest first."""
        if reading.cancelled() or reading.exception() is not None:
            return
        text = reading.result().body
        body = base64.b64decode(text) if reading.result().base64_encoded else text.encode()
        if len(body) <= MOST_BYTES_EACH:
            self._bodies[seen.session_id, seen.request_id] = seen.worth, body
        over = sum(_ENTRY_BYTES + len(kept) for _, kept in self._bodies.values()) - MOST_BYTES
        for key in sorted(self._bodies, key=lambda key: self._bodies[key][0]):
            if over <= 0:
                return
            over -= _ENTRY_BYTES + len(self._bodies.pop(key)[1])
