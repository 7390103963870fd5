"""`probe` on each of the mock's browsers, and on Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cdp_agent.program import main
from cdp_typed.errors import EndpointError
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import (
    PERSONALITIES,
    Failure,
    Frame,
    Missing,
    MockBrowser,
    Page,
    Personality,
    Refusal,
    ThreadedMockServer,
)
from cdp_typed.mock.schema.json_samples import sample_result
from cdp_typed.protocol import fetch, page, target
from cdp_typed.protocol.browser import GetVersion
from supervisor import Config
from supervisor.probe import CAPABILITIES, probe
from supervisor.probe.probes import INNER

SITE = {
    "http://shop.test/": Page(title="Shop", frames=[Frame("http://pay.test/", "pay")]),
    "http://pay.test/": Page(title="Pay"),
    INNER: Page(),
}
CHROMIUM = dict.fromkeys(CAPABILITIES, True)
ALL = CHROMIUM | {"bridge": False}
"""The mock runs no script that is injected, which is what the bridge is."""
DISMISSES = ALL | {"dialog_stays": False, "dialog_respond": False}
EXPECTED: dict[str, dict[str, bool]] = {
    "local": ALL,
    "proxy_answers_dialogs": DISMISSES,
    "instant_dialogs": DISMISSES,
    "no_auto_attach": dict.fromkeys(CAPABILITIES, False) | {"open_page": True, "fetch": True},
    "slow_remote": ALL,
    "one_leaves_all_leave": ALL,
    "signed_urls": ALL,
    "drops_pings": ALL,
    "older_protocol": ALL,
    "named_chrome": ALL,
}


@pytest.fixture
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dialog that stays need not be watched for long; one that goes may take its time on a busy machine."""
    name = request.node.callspec.params.get("name", "local") if hasattr(request.node, "callspec") else "local"
    monkeypatch.setattr("supervisor.probe.probes.STAYS_S", 20.0 if EXPECTED[name] is DISMISSES else 0.05)
    monkeypatch.setattr("supervisor.probe.probes.STEP_S", 20.0)


async def matrix(personality: Personality | None = None, browser: MockBrowser | None = None) -> dict[str, bool | None]:
    mock = ThreadedMockServer(browser or SITE, personality=personality or PERSONALITIES["local"])
    with mock as server:
        return {
            row.capability: row.works for row in await probe(Config(cdp_url=server.url), page_url="http://shop.test/")
        }


@pytest.mark.parametrize("name", PERSONALITIES)
async def test_the_matrix_of_each_personality(patience: None, name: str) -> None:
    assert await matrix(PERSONALITIES[name]) == EXPECTED[name]


async def test_how_long_a_dialog_was_left_open_is_told(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.probe.probes.STAYS_S", 20.0)
    with ThreadedMockServer(SITE, personality=PERSONALITIES["proxy_answers_dialogs"]) as server:
        rows = await probe(Config(cdp_url=server.url), page_url="http://shop.test/")

    (stays,) = (row for row in rows if row.capability == "dialog_stays")
    assert stays.took_ms is not None
    assert stays.took_ms >= 1
    assert stays.detail == f"dismissed by another client after {stays.took_ms:g} ms"


async def test_what_is_refused_is_told_and_the_rest_is_found_out(patience: None) -> None:
    browser = MockBrowser(SITE)
    browser.on(fetch.Enable, Refusal(-32000, "Not here"))
    browser.on(page.HandleJavaScriptDialog, Refusal(-32000, "Not you"))
    browser.on_expression("location.href", Failure("Error", "not there"))

    assert await matrix(browser=browser) == ALL | {"fetch": False, "dialog_respond": False, "oopif_evaluate": False}


async def test_where_no_page_can_be_opened_the_one_that_is_there_is_used_and_gets_its_address_back(
    patience: None,
) -> None:
    browser = MockBrowser(SITE)
    browser.on(target.CreateTarget, Refusal(-32000, "Not supported"))
    browser.close_page(browser.pages[0].id)
    browser.open_page("http://shop.test/")
    browser.fault(page.JavascriptDialogOpening, Missing("params.frameId"))

    assert await matrix(browser=browser) == ALL | {"open_page": False, "dialog_frame": False}
    assert [shown.url for shown in browser.pages] == ["http://shop.test/"]


async def test_a_browser_that_would_freeze_under_a_dialog_is_shown_none(patience: None) -> None:
    browser = MockBrowser(SITE)
    version = sample_result("Browser.getVersion") | {"product": "qt/"}
    browser.on(GetVersion, version)

    rows = await matrix(browser=browser)

    assert rows == ALL | {name: None for name in CAPABILITIES if name.startswith("dialog_")}


async def test_dialogs_that_nobody_tells_of(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.probe.probes.STEP_S", 1.0)
    browser = MockBrowser(SITE)
    browser.on_expression("setTimeout(() => confirm('cdp-agent doctor'), 0)", 1)

    assert await matrix(browser=browser) == ALL | {
        "dialog_detect": False, "dialog_frame": None, "dialog_stays": None, "dialog_respond": None,
    }  # fmt: skip


async def test_a_page_without_a_foreign_frame(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.probe.probes.STEP_S", 1.0)
    with ThreadedMockServer(SITE) as server:
        rows = {row.capability: row for row in await probe(Config(cdp_url=server.url), page_url="http://pay.test/")}

    assert (rows["frame_tree"].works, rows["oopif_evaluate"].answer) == (False, "unknown")


async def test_the_page_is_closed_afterwards(patience: None) -> None:
    with ThreadedMockServer(SITE) as server:
        await probe(Config(cdp_url=server.url), page_url="http://shop.test/")
        created = server.browser.received(target.CreateTarget)

        assert len(created) == 3
        assert len(server.browser.received(page.Close)) + len(server.browser.received(target.CloseTarget)) >= 3


async def test_no_browser_is_no_matrix() -> None:
    with pytest.raises(EndpointError):
        await probe(Config(cdp_url="http://127.0.0.1:9"))


@pytest.fixture(scope="module")
def mock() -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as server:
        yield server


def test_the_command_prints_a_table_or_json(
    patience: None, mock: ThreadedMockServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", mock.url, "--page", "http://shop.test/"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["CAPABILITY", "WORKS"],
        *([name, "yes" if works else "no"] for name, works in ALL.items()),
    ]

    assert main(["doctor", mock.url, "--page", "http://shop.test/", "--json"]) == 0
    assert {row["capability"]: row["works"] for row in json.loads(capsys.readouterr().out)} == ALL


def test_what_is_required_and_not_there_is_exit_code_1(patience: None, capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadedMockServer(SITE, personality=PERSONALITIES["no_auto_attach"]) as server:
        code = main(["doctor", server.url, "--require", "oopif_evaluate", "fetch"])

    assert code == 1
    assert capsys.readouterr().err.splitlines()[-1] == "cdp-agent: error: not there: oopif_evaluate"


async def test_a_local_chromium_can_do_everything(patience: None, chromium: LaunchedBrowser) -> None:
    """Its two pages come through Fetch: no network is needed."""
    rows = await probe(Config(cdp_url=chromium.http_url))

    assert {row.capability: row.works for row in rows} == CHROMIUM
