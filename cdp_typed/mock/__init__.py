"""A fake browser for tests: strict about the protocol's schema, scriptable, able to break the wire on purpose.

    site = {"http://localhost/": Page(title="Top", frames=[Frame("http://other.test/", "child")]),
            "http://other.test/": Page(title="Child")}

    async with MockServer(site) as mock:
        async with connect(mock.url) as browser: ...
        assert mock.browser.received(page.Navigate) == (page.Navigate(url="http://localhost/"),)

`personality=` makes it another browser than a local Chrome, `load_scenario` reads one from a file. `ThreadedMockServer`
is the same for `with`, `MockPipe` at the end of a pipe, `MockBrowser` without any wire. The mock imports nothing of the
client, and any client in any language can be tested with it.
"""

from __future__ import annotations

from cdp_typed.mock.control.call_log import Received
from cdp_typed.mock.control.faults import WireFrame
from cdp_typed.mock.control.handshake_faults import Garbage, NeverUpgrades, Redirected, Refused
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.control.stubs import (
    Binary,
    Changed,
    Cut,
    Delay,
    Detach,
    Drop,
    Duplicate,
    Ends,
    Fault,
    InvalidUtf8,
    Malformed,
    Missing,
    Overtaken,
    Padded,
    Preceded,
    WithoutId,
)
from cdp_typed.mock.errors import MockError, NonConforming, NoSuchThing, NotEnabled, ScenarioError, SiteError
from cdp_typed.mock.js.values import Failure
from cdp_typed.mock.personality import PERSONALITIES, Personality
from cdp_typed.mock.scenario import Scenario, load_scenario
from cdp_typed.mock.schema.json_samples import sample_event, sample_params, sample_result, sample_type
from cdp_typed.mock.schema.typed_samples import sample
from cdp_typed.mock.server.async_server import MockServer
from cdp_typed.mock.server.pipe_server import MockPipe
from cdp_typed.mock.server.threaded_server import ThreadedMockServer
from cdp_typed.mock.site import FileInput, Frame, Link, Page, Resource, Site
from cdp_typed.mock.state.error_texts import Refusal, Text
from cdp_typed.mock.state.messages import Hangup

__all__ = [
    "PERSONALITIES",
    "Binary",
    "Changed",
    "Cut",
    "Delay",
    "Detach",
    "Drop",
    "Duplicate",
    "Ends",
    "Failure",
    "Fault",
    "FileInput",
    "Frame",
    "Garbage",
    "Hangup",
    "InvalidUtf8",
    "Link",
    "Malformed",
    "Missing",
    "MockBrowser",
    "MockError",
    "MockPipe",
    "MockServer",
    "NeverUpgrades",
    "NoSuchThing",
    "NonConforming",
    "NotEnabled",
    "Overtaken",
    "Padded",
    "Page",
    "Personality",
    "Preceded",
    "Received",
    "Redirected",
    "Refusal",
    "Refused",
    "Resource",
    "Scenario",
    "ScenarioError",
    "Site",
    "SiteError",
    "Text",
    "ThreadedMockServer",
    "WireFrame",
    "WithoutId",
    "load_scenario",
    "sample",
    "sample_event",
    "sample_params",
    "sample_result",
    "sample_type",
]
