"""Unpacked extensions on Chromium, judged by what their content scripts do to a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
    sites.pages["/page"] = "<title>plain</title>"
    bench.open(sites.local("/page"))

    (loaded,) = bench.call("browser_page", action="extensions", text=str(folder))["extensions"]

    bench.open(sites.local("/page"))
    assert (loaded["name"], loaded["version"], bench.value("document.title")) == ("Marker", "1.2", "marked")
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
