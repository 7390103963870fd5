"""`browser_inspect` audits the accessibility of a page with axe-core, on Chromium."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from evals.libraries.installed import installed_packages
from supervisor.tools import Policy
from tests.supervisor.addons.extras.conftest import Bench
from tests.support.servers.sites import Sites, iframe

TOP = """<!doctype html><html lang=en><link rel=icon href=data:,><title>Shop</title><main><h1>Shop</h1>
<div id=part><img src="data:," id=logo></div><p style="color: #eee; background: #fff">pale</p></main><script>
globalThis.noticed = [];
new MutationObserver(seen => noticed.push(`${seen[0].type} ${seen[0].target.nodeName}`)).observe(
    document, {subtree: true, childList: true, attributes: true, characterData: true});
for (const kind of ['focus', 'scroll', 'message', 'error']) addEventListener(kind, () => noticed.push(kind), true);
</script>"""
INSIDE = "<!doctype html><html lang=en><title>Prices</title><main><button id=nameless></button></main>"


@pytest.fixture(scope="session")
def axe_file() -> Path:
    return (installed_packages("make packages") / "axe-core" / "axe.min.js").resolve()


@pytest.fixture
def shop(bench: Bench, sites: Sites, axe_file: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("CDP_AXE_FILE", str(axe_file))
    sites.pages |= {"/inside": INSIDE, "/shop": TOP + iframe(sites.remote("/inside"))}
    bench.open(sites.local("/shop"))
    return bench


def elements(result: dict[str, Any]) -> dict[str, list[str]]:
    return {problem["rule"]: problem["elements"] for problem in result["problems"]}


def test_a_page_and_its_iframe_are_audited_and_the_page_notices_nothing(shop: Bench) -> None:
    requests = "performance.getEntriesByType('resource').length"
    before = shop.value(f"noticed.length = 0, {requests}")

    result = shop.call("browser_inspect", show="accessibility")

    found = elements(result)
    assert found["image-alt"] == ["#logo"]
    assert found["color-contrast"] == ["p"]
    assert found["button-name"] == ["#frame #nameless"]
    # what concerns a page is asked of its top document
    assert found.keys().isdisjoint({"page-has-heading-one", "frame-tested"})
    assert {"problems[].elements[]"} <= set(result["untrusted"])
    assert shop.value("JSON.stringify(noticed)") == "[]"
    assert (shop.value("typeof axe"), shop.value(requests)) == ("undefined", before)


def test_rules_are_chosen_by_tags_and_an_element_alone_is_audited(shop: Bench) -> None:
    contrast = elements(shop.call("browser_inspect", show="accessibility", find="wcag2aa"))
    names = elements(shop.call("browser_inspect", show="accessibility", find="wcag2a, best-practice"))
    part = elements(shop.call("browser_inspect", show="accessibility", ref="css=#part"))
    inner = elements(shop.call("browser_inspect", show="accessibility", ref="css=#nameless"))

    wrong = shop.call("browser_inspect", show="accessibility", find="wcag2a,wcag2x")

    assert (wrong["success"], wrong["argument"]) == (False, "find")
    assert shop.value("typeof axe") == "undefined"
    assert contrast == {"color-contrast": ["p"]}
    assert {"image-alt", "button-name"} <= set(names)
    assert "color-contrast" not in names
    assert part == {"image-alt": ["#logo"]}
    assert inner == {"button-name": ["#nameless"]}


def test_of_many_elements_ten_are_shown(shop: Bench) -> None:
    shop.show("<html lang=en><title>x</title><main><h1>x</h1>" + "<img src=data:,>" * 15)

    (problem,) = shop.call("browser_inspect", show="accessibility", find="wcag2a")["problems"]

    assert (problem["rule"], problem["impact"], problem["more"]) == ("image-alt", "critical", 5)
    assert len(problem["elements"]) == len(set(problem["elements"])) == 10


def test_an_iframe_that_crashed_is_left_out(shop: Bench) -> None:
    inner = shop.inner_frame
    shop.call("browser_cdp", method="Page.crash", frame_id=inner)
    shop.call("browser_snapshot")

    result = shop.call("browser_inspect", show="accessibility")

    assert elements(result)["image-alt"] == ["#logo"]
    assert result["left_out"] == [inner]


@pytest.mark.parametrize("where", ["project/node_modules/axe-core", "packages/axe_playwright_python"])
def test_what_is_installed_is_found(
    shop: Bench, axe_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str
) -> None:
    monkeypatch.delenv("CDP_AXE_FILE")
    (tmp_path / "project" / "src").mkdir(parents=True)
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path / "project" / "src" / ".cdp-agent"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages"), *sys.path])
    (tmp_path / where).mkdir(parents=True)
    (tmp_path / where / "axe.min.js").symlink_to(axe_file)
    (tmp_path / where / "__init__.py").write_text("raise ImportError('it wants a browser of its own')")

    assert elements(shop.call("browser_inspect", show="accessibility"))["image-alt"] == ["#logo"]


def test_it_is_refused_while_a_dialog_is_open_by_a_policy_and_without_the_file(
    shop: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held = shop.under(Policy(deny_methods=("Runtime.evaluate",)))
    assert held("browser_inspect", show="accessibility")["error_type"] == "Refused"
    monkeypatch.delenv("CDP_AXE_FILE")
    monkeypatch.chdir(tmp_path)
    assert "npm install axe-core" in shop.call("browser_inspect", show="accessibility")["error"]
    monkeypatch.setenv("CDP_AXE_FILE", "/nowhere/axe.min.js")
    assert shop.call("browser_inspect", show="accessibility")["error_type"] == "NoAxe"
    shop.call("browser_evaluate", expression="setTimeout(() => alert('x'))")
    shop.call("browser_wait", until="dialog")
    assert shop.call("browser_inspect", show="accessibility")["error_type"] == "BlockedByDialog"
