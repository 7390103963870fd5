"""`browser_recording` on Chromium: the code that it writes does the same again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.beside.recorded_shop import EXPECTED, Shop, order
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites, iframe


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def call(tools: Tools, folder: Path) -> Call:
    return tools()


def stopped(call: Call, show: str = "pytest") -> dict[str, Any]:
    result = call("browser_recording", action="stop", show=show)
    assert result["success"], result
    return result


@pytest.mark.thorough
def test_the_recorded_test_orders_the_same_again_and_fails_on_another_page(
    call: Call, sites: Sites, folder: Path
) -> None:
    shop = Shop(sites)
    call("browser_recording", action="start", name="shop")
    order(call, shop)

    result = stopped(call)

    assert shop.orders == [EXPECTED]
    assert result["steps"] == 28
    assert "left_out" not in result
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert {*written} == {"test_shop.py", "test_shop_playwright.py", "shop.spec.ts"}
    assert not [name for name, text in written.items() if CANARY in text]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    compile(written["test_shop_playwright.py"], "test_shop_playwright.py", "exec")

    again = played(folder / "test_shop.py")
    assert again.returncode == 0, again.stdout
    assert shop.orders == [EXPECTED, EXPECTED]

    sites.pages["/bought"] = "<title>Thanks</title>Sorry"
    changed = played(folder / "test_shop.py", wait_s="0")
    assert changed.returncode == 1
    assert "'holds': False" in changed.stdout


def played(path: Path, *, wait_s: str = "10") -> subprocess.CompletedProcess[str]:
    path.write_text(path.read_text().replace("WAIT_S = 10", f"WAIT_S = {wait_s}"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(path.parent), str(path)]
    secrets = {"RECORDED_SECRET_1": CANARY, "RECORDED_SECRET_2": "Ada"}
    return subprocess.run(
        command, cwd=path.parent, env={**os.environ, **secrets}, capture_output=True, text=True, timeout=120
    )


def test_a_password_and_a_url_with_a_token_become_variables(call: Call, sites: Sites, folder: Path) -> None:
    sites.pages["/"] = f"<input type=password aria-label=Pin><p>token {CANARY}"
    address = sites.local("/") + f"?api_key={CANARY}"
    call("browser_recording", action="start")
    call("browser_navigate", url=address)
    call("browser_type", ref='textbox "Pin"', text=CANARY)
    call("browser_type", text=CANARY)
    call("browser_press", key="x")
    call("browser_verify", check="text", expected=f"token {CANARY}")
    call("browser_wait", until=["text:token", f"text:{CANARY}"])

    result = stopped(call)

    assert result["variables"] == [f"RECORDED_SECRET_{number}" for number in (1, 2, 3, 4)]
    assert result["steps"] == 5
    assert result["left_out"][0] == "browser_press after step 3: it pressed keys in a password field"
    assert not [path for path in folder.iterdir() if CANARY in path.read_text()]
    assert 'step("browser_navigate", url=os.environ["RECORDED_SECRET_1"])' in result["code"]


def test_elements_of_the_same_name_are_told_apart(call: Call, sites: Sites, folder: Path) -> None:
    row = "<tr><td>{0}<td><button onclick=\"document.title='{0}'\">Delete</button>"
    sites.pages["/"] = "<table>" + "".join(map(row.format, "abc")) + "</table>" + iframe(sites.remote("/in"))
    sites.pages["/in"] = "<button>Delete</button><div id=r:1234><b onclick=0>x</b></div>"
    call("browser_navigate", url=sites.local("/"))
    call("browser_wait", until="loaded")
    call("browser_recording", action="start")
    call("browser_click", ref="css=tr:nth-of-type(2) button")
    call("browser_click", ref="css=b")

    shown = stopped(call, "playwright-python")["code"]

    lines = [line.strip() for line in shown.splitlines() if ".click()" in line]
    assert lines == [
        'page.get_by_role("button", name="Delete", exact=True).nth(1).click()',
        'page.frame_locator("#frame").locator("html > body > div > b").click()',
    ]
    assert [line for line in (folder / "test_run.py").read_text().splitlines() if "browser_click" in line] == [
        '        step("browser_click", ref="button \\"Delete\\" >> nth=1")',
        '        step("browser_click", ref="css=html > body > div > b")',
    ]
    call("browser_click", ref='button "Delete" >> nth=2')
    assert call("browser_verify", check="title", expected="c")["holds"]


def test_a_call_that_failed_and_one_without_a_form_are_named_and_are_no_steps(call: Call, sites: Sites) -> None:
    sites.pages["/"] = "<title>one</title><button>Go</button>"
    call("browser_navigate", url=sites.local("/"))
    call("browser_recording", action="start")
    call("browser_click", ref='button "Nothing"')
    call("browser_verify", check="title", expected="two")
    call("browser_evaluate", expression="1")
    call("browser_batch", steps=[{"tool": "click", "arguments": {"ref": "Go"}}])

    result = stopped(call)

    assert result["steps"] == 2
    assert result["left_out"] == [
        "browser_verify after step 1: the check did not hold",
        "browser_evaluate after step 1: it has no form in the code",
    ]


def test_nothing_is_observed_before_the_start_and_after_the_stop(call: Call, sites: Sites) -> None:
    sites.pages["/"] = "<title>one</title>"
    assert call("browser_recording", action="stop")["error_type"] == "InvalidArgument"
    call("browser_recording", action="start")
    stopped(call)
    call("browser_navigate", url=sites.local("/"))
    call("browser_recording", action="start")

    result = stopped(call)

    assert (result["steps"], result.get("left_out")) == (1, None)


def test_a_second_start_and_a_name_outside_of_the_folder_are_refused(call: Call, sites: Sites, folder: Path) -> None:
    sites.pages["/"] = "<title>one</title>"
    for action in ("start", "video"):
        outside = call("browser_recording", action=action, name="../x")
        assert (outside["error_type"], outside["argument"]) == ("InvalidArgument", "name")
    call("browser_recording", action="start", name="first")
    call("browser_navigate", url=sites.local("/"))

    refused = call("browser_recording", action="start", name="second")

    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "action")
    assert "stop it first" in refused["error"]
    assert stopped(call)["steps"] == 1
    assert (folder / "test_first.py").exists()


def test_tabs_are_named_by_what_opened_them(call: Call, sites: Sites) -> None:
    sites.pages["/"] = "<title>one</title><a target=_blank href=/two>Open</a>"
    sites.pages["/two"] = "<title>two</title><button>In two</button>"
    call("browser_navigate", url=sites.local("/"))
    call("browser_recording", action="start")
    (opened,) = call("browser_click", ref='link "Open"')["opened"]
    call("browser_tabs", action="select", target_id=opened)
    call("browser_click", ref='button "In two"')
    call("browser_tabs", action="close", target_id=opened)

    result = stopped(call)

    assert [line.strip() for line in result["code"].splitlines() if "tab1" in line] == [
        "tab1 = opened[0]",
        'step("browser_tabs", action="select", target_id=tab1)',
        'step("browser_tabs", action="close", target_id=tab1)',
    ]
    shown = Path(next(path for path in result["files"] if path.endswith("_playwright.py"))).read_text()
    assert shown.partition("goto")[2].splitlines()[1:] == [
        "    with page.expect_popup() as tab1_event:",
        '        page.get_by_role("link", name="Open", exact=True).click()',
        "    tab1 = tab1_event.value",
        "    page = tab1",
        '    page.get_by_role("button", name="In two", exact=True).click()',
        "    tab1.close()",
        "    page = tab0",
    ]
