"""The requests of a page that are under way, from the events of Network and Page."""

from __future__ import annotations

from cdp_typed._base import Event
from cdp_typed.protocol import network, page
from cdp_typed.redaction.texts import without_credentials

REQUEST_EVENTS = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.DataReceived,
    network.LoadingFailed,
    page.FrameNavigated,
    page.LifecycleEvent,
)


class RequestWatch:
    """Counts the requests that have no response yet. Its events must be fed in order.

    Separate events report the arrival of a body. If nobody reads a body, no event reports its end.

    Requests that a document made before the first event are not known one by one: the browser's own `networkIdle`
    reports that all of them have ended.
    """

    def __init__(self) -> None:
        self._under_way: dict[str, network.RequestWillBeSent] = {}
        self._loader_id: network.LoaderId | None = None
        self._was_idle: set[network.LoaderId] = set()

    def expect(self, loader_id: network.LoaderId) -> None:
        """Set the id of the page's document."""
        self._loader_id = loader_id

    def feed(self, event: Event) -> None:
        """Process an event."""
        match event:
            case network.RequestWillBeSent():
                self._under_way[event.request_id] = event
            case network.ResponseReceived() | network.LoadingFailed():
                self._under_way.pop(event.request_id, None)
            case page.FrameNavigated(frame=frame) if frame.parent_id is None:
                self._loader_id = frame.loader_id
                for request_id in [key for key, sent in self._under_way.items() if sent.loader_id != frame.loader_id]:
                    del self._under_way[request_id]
                self._was_idle.add(frame.loader_id)  # all of its requests are seen
            case page.LifecycleEvent(name="networkIdle"):
                self._was_idle.add(event.loader_id)
            case _:
                pass

    @property
    def is_quiet(self) -> bool:
        """True while no known request is under way."""
        return not self._under_way and self._loader_id in self._was_idle

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of the pending requests, without credentials."""
        return tuple(without_credentials(sent.request.url) for sent in self._under_way.values())
