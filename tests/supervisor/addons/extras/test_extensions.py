"""Unpacked extensions on Chromium, judged by what their content scripts do to a page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cdp_typed import connect
from cdp_typed.protocol import runtime, target
from supervisor.tools import Policy
from tests.support.servers.sites import Sites

from .conftest import Bench

MANIFEST = {
    "manifest_version": 3,
    "name": "Marker",
    "version": "1.2",
    "content_scripts": [{"matches": ["<all_urls>"], "js": ["mark.js"]}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), "utf-8")
    (tmp_path / "mark.js").write_text("document.title = 'marked'", "utf-8")
    return tmp_path


def test_an_extension_works_in_pages_until_it_is_removed(bench: Bench, sites: Sites, folder: Path) -> None:
    bench.show("<title>plain</title>")

    (loaded,) = bench.call("browser_page", action="extensions", text=str(folder))["extensions"]

    bench.open(sites.local("/page"))
    assert (loaded["name"], loaded["version"]) == ("Marker", "1.2")
    assert bench.call("browser_page", action="wait_js", text="document.title === 'marked'")["success"]
    assert bench.call("browser_page", action="extensions")["extensions"] == [loaded]
    assert bench.call("browser_page", action="remove_extension", name=loaded["id"])["extensions"] == []
    bench.open(sites.local("/page"))
    assert bench.value("document.title") == "plain"


def test_a_folder_without_an_extension_and_one_that_is_not_allowed_are_refused(bench: Bench, folder: Path) -> None:
    bench.call("browser_snapshot")
    missing = bench.call("browser_page", action="extensions", text=str(folder / "none"))
    held = bench.under(Policy(allow_files=("/srv/*",)))

    assert (missing["error_type"], missing["argument"]) == ("InvalidArgument", "text")
    assert held("browser_page", action="extensions", text=str(folder))["error_type"] == "Refused"
    scriptless = bench.under(Policy(deny_methods=("Runtime.evaluate",)))
    assert scriptless("browser_page", action="extensions", text=str(folder))["error_type"] == "Refused"
    denied = bench.under(Policy(deny_methods=("Extensions.*",)))
    assert denied("browser_page", action="extensions")["error_type"] == "Refused"


BUTTON = MANIFEST | {
    "action": {},
    "permissions": ["scripting"],
    "host_permissions": ["<all_urls>"],  # on a busy machine, Chromium 156 now and then has not yet granted "activeTab"
    "background": {"service_worker": "bg.js"},
}
PRESSED = """chrome.action.onClicked.addListener(tab => chrome.scripting.executeScript(
    {target: {tabId: tab.id}, func: () => { document.body.textContent = 'pressed' }}))"""


async def button_is_heard(ws_url: str, extension_id: str) -> None:
    """Wait until the worker of an extension listens to its button: it starts late, and no event says when."""
    listens = runtime.Evaluate(expression="chrome.action.onClicked.hasListeners()")
    async with connect(ws_url) as browser, asyncio.timeout(60):
        while True:
            for info in (await browser.send(target.GetTargets())).target_infos:
                if info.url == f"chrome-extension://{extension_id}/bg.js":
                    worker = await browser.attach(info.target_id)
                    if (await worker.send(listens)).result.value is True:
                        return
                    await worker.detach()
            await asyncio.sleep(0.01)


def test_the_button_of_an_extension_acts_on_the_current_page(bench: Bench, sites: Sites, folder: Path) -> None:
    sites.pages |= {"/page": "<title>plain</title>", "/other": "<title>other</title>"}
    (folder / "manifest.json").write_text(json.dumps(BUTTON), "utf-8")
    (folder / "bg.js").write_text(PRESSED, "utf-8")
    (folder / "mark.js").write_text("", "utf-8")
    bench.open(sites.local("/page"))
    first = next(tab for tab in bench.call("browser_tabs", action="list")["tabs"] if tab.get("is_current"))
    bench.call("browser_tabs", action="open", url=sites.local("/other"))
    bench.call("browser_tabs", action="select", target_id=first["target_id"])
    (loaded,) = bench.call("browser_page", action="extensions", text=str(folder))["extensions"]

    asyncio.run(button_is_heard(bench.ws_url, loaded["id"]))

    pressed = bench.call("browser_page", action="click_extension", name=loaded["id"])

    assert pressed["extensions"] == [loaded]
    assert bench.call("browser_wait", until="text", value="pressed")["success"]
    assert bench.call("browser_evaluate", expression="document.body.textContent")["value"] == "pressed"
    bench.call("browser_page", action="remove_extension", name=loaded["id"])


def test_a_raw_command_presses_no_button_of_an_unknown_extension(bench: Bench, folder: Path) -> None:
    (loaded,) = bench.call("browser_page", action="extensions", text=str(folder))["extensions"]
    method = "Extensions.triggerAction"

    for params in ({"id": "none", "targetId": "x"}, {"targetId": "x"}, {"id": ["none"], "targetId": "x"}):
        refused = bench.call("browser_cdp", method=method, params=params)
        assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "params")
    known = bench.call("browser_cdp", method=method, params={"id": loaded["id"], "targetId": "x"})

    assert known["error_type"] == "CommandError"
    assert bench.call("browser_page", action="remove_extension", name=loaded["id"])["extensions"] == []


def test_an_extension_without_a_button_and_an_unknown_one_leave_the_browser_alive(bench: Bench, folder: Path) -> None:
    (loaded,) = bench.call("browser_page", action="extensions", text=str(folder))["extensions"]

    bench.call("browser_page", action="click_extension", name=loaded["id"])
    unknown = bench.call("browser_page", action="click_extension", name="none")

    assert (unknown["error_type"], unknown["argument"]) == ("InvalidArgument", "name")
    assert bench.call("browser_page", action="remove_extension", name=loaded["id"])["extensions"] == []
