"""Events that are wrong in one field: nothing of a supervisor fails because of them, and other tabs are served.

They are made from the protocol's own schema: every field, at any depth, of every event that the supervisor consumes.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec
import pytest

from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer
from cdp_typed.mock.schema.json_samples import sample_event
from cdp_typed.wire.json_text import is_array, is_object
from supervisor import CDPSupervisor, PageInfo
from supervisor.core.vocabulary.inputs import CdpEvent
from tests.support.stages.stages import is_loaded

OWN, OTHER = "http://localhost", "http://127.0.0.1"
SITE = Site(
    {
        f"{OWN}/": Page(title="top", frames=[Frame(f"{OTHER}/inner", "inner"), Frame(f"{OWN}/local", "local")]),
        f"{OTHER}/inner": Page(title="inner"),
        f"{OWN}/local": Page(title="local"),
        f"{OWN}/other": Page(title="other"),
    }
)
MISSING = object()
WRONG: tuple[Any, ...] = (MISSING, None, ["x"], {"x": 1}, "x" * 3000, -1, 1e308)
ENOUGH = 2500


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values inside a JSON value."""
    if is_object(value):
        items: list[tuple[Any, Any]] = list(value.items())
    else:
        items = list(enumerate(value)) if is_array(value) else []
    for key, item in items:
        yield (*above, key)
        yield from paths(item, (*above, key))


def changed(value: Any, path: tuple[Any, ...], by: object) -> Any:
    """The value with another one at that place."""
    copy = msgspec.json.decode(msgspec.json.encode(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if by is MISSING:
        del inner[path[-1]]
    else:
        inner[path[-1]] = by
    return copy


def real(value: Any, ids: Mapping[str, str]) -> Any:
    """The same with ids that mean something in this browser."""
    if is_object(value):
        return {key: ids.get(key, item) if isinstance(item, str) else real(item, ids) for key, item in value.items()}
    return [real(item, ids) for item in value] if is_array(value) else value


def broken(ids: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each wrong value of each field of each event: the method, and the parameters with that value."""
    for cls in get_args(CdpEvent):
        whole = real(sample_event(cls.METHOD, full=True), ids)
        for path in paths(whole):
            for by in WRONG:
                yield cls.METHOD, changed(whole, path, by)


@pytest.fixture
def server(no_leaks: None) -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as running:
        yield running


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_no_event_that_is_wrong_in_a_field_keeps_another_tab_from_being_served(
    server: ThreadedMockServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "supervisor")
    with CDPSupervisor(server.url, call_timeout_s=20, watch_requests=True, watch_http_auth=True) as supervisor:
        supervisor.navigate(f"{OWN}/")
        now = supervisor.wait_for(is_loaded)
        wrong: PageInfo = now.pages[0]
        inner = next(frame for frame in now.frame_tree.children if frame.is_oopif)
        healthy = supervisor.open_page(f"{OWN}/other")
        ids = {"frameId": wrong.target_id, "sessionId": "session-x", "targetId": "target-x", "id": inner.frame_id}

        count = 0
        for method, params in broken(ids):
            count += 1
            message = {"method": method, "params": params, "sessionId": wrong.session_id}
            server.browser.send_raw(json.dumps(message))
            assert supervisor.evaluate("1", healthy.target_id).value == 1, message
            assert healthy.target_id in {page.target_id for page in supervisor.snapshot().pages}

        assert count >= ENOUGH
        assert supervisor.evaluate("document.title", healthy.target_id).value == "other"
        supervisor.reload_page(healthy.target_id)
        assert supervisor.snapshot().state == "ready"
        assert supervisor.status().left_out.keys() <= {cls.METHOD for cls in get_args(CdpEvent)}
