"""Which requests of a page are under way, from the events of Network and Page."""

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
    """Counts requests that have no response yet, through events, to be given in their order.

    Separate events report a body that comes; for one that nobody reads, no event would report the end.

    What a document asked for before the first event is not known one by one: the browser's own `networkIdle` tells when
    that has ended.
    """

    def __init__(self) -> None:
        self._under_way: dict[str, network.RequestWillBeSent] = {}
        self._loader_id: network.LoaderId | None = None
        self._was_idle: set[network.LoaderId] = set()

    def expect(self, loader_id: network.LoaderId) -> None:
        """Take in the id of the page's document."""
        self._loader_id = loader_id

    def feed(self, event: Event) -> None:
        """Take in an event."""
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
        """True while no request is under way, as far as is known."""
        return not self._under_way and self._loader_id in self._was_idle

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of the requests that are under way, without credentials."""
        return tuple(without_credentials(sent.request.url) for sent in self._under_way.values())
