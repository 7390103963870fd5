"""Downloads on Chromium: the folder that a caller chose has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.mock import Drop, MockBrowser, ThreadedMockServer
from cdp_typed.mock import Page as MockPage
from cdp_typed.protocol import page as page_domain
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import calls
from tests.support.browsers import LaunchBrowser, downloads_folder
from tests.support.servers.sites import Response, Sites

from .conftest import Bench

ATTACHED = {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment; filename=report.txt"}


@pytest.fixture
def page(bench: Bench, sites: Sites) -> Bench:
    sites.pages |= {"/page": "<a href=/report>Report</a>", "/report": Response("figures", headers=ATTACHED)}
    bench.open(sites.local("/page"))
    bench.call("browser_snapshot")
    return bench


def test_files_of_one_name_lie_at_the_paths_in_the_result(page: Bench, sites: Sites, tmp_path: Path) -> None:
    assert page.call("browser_page", action="download_to", text=str(tmp_path))["success"]
    for content in ("first", "second"):
        sites.pages["/report"] = Response(content, headers=ATTACHED)
        page.call("browser_batch", steps=[
            {"tool": "click", "arguments": {"ref": "Report"}}, {"tool": "wait", "arguments": {"until": "text:Report"}},
        ])  # fmt: skip
        complete(page, content)

    listed = page.call("browser_page", action="downloads")

    assert [(file["name"], file["is_complete"]) for file in listed["files"]] == [("report.txt", True)] * 2
    assert [Path(file["path"]).read_text("utf-8") for file in listed["files"]] == ["first", "second"]
    assert {Path(file["path"]).parent for file in listed["files"]} == {tmp_path}
    assert "files[].name" in listed["untrusted"]


def test_a_download_whose_tab_closed_first_has_an_unknown_end(registry: SupervisorRegistry) -> None:
    browser = MockBrowser({"http://x/a.zip": MockPage(headers={"Content-Disposition": "attachment"})})
    browser.fault(page_domain.DownloadProgress, Drop())  # pyright: ignore[reportDeprecated]
    with (
        ThreadedMockServer(browser) as mock,
        Toolbox(Config(cdp_url=mock.url), registry=registry, toolsets="all") as box,
    ):
        call = calls(box)
        call("browser_tabs", action="open", url="about:blank")
        call("browser_navigate", url="http://x/a.zip")
        running = call("browser_page", action="downloads")["files"]
        closed = call("browser_tabs", action="close")
        ended = call("browser_page", action="downloads")["files"]

    assert running == [{"name": "a.zip", "url": "http://x/a.zip", "is_running": True}]
    assert closed["downloads"] == [{"name": "a.zip", "is_complete": False, "is_unknown": True}]
    assert ended == [{"name": "a.zip", "url": "http://x/a.zip", "is_unknown": True}]


def test_a_download_of_a_test_does_not_go_to_the_home_of_the_user(
    chromium_factory: LaunchBrowser, sites: Sites, registry: SupervisorRegistry
) -> None:
    sites.pages |= {"/page": "<a href=/report>Report</a>", "/report": Response("figures", headers=ATTACHED)}
    page = Bench(chromium_factory().ws_url, registry, sites)
    page.open(sites.local("/page"))

    page.call("browser_click", ref="Report")
    assert ended(page)["is_complete"]

    assert (downloads_folder() / "report.txt").read_text("utf-8") == "figures"


@pytest.mark.parametrize("own_context", [False, True])
@pytest.mark.parametrize(
    "markup",
    [
        "<a href=/report>Report</a>",
        "<a href=/report target=_blank>Report</a>",
        "<button onclick=\"window.open('/report')\">Report</button>",
        "<form action=/report method=post target=_blank><button>Report</button></form>",
    ],
)
def test_the_path_of_a_download_is_told_in_a_browser_of_our_own_whatever_tab_it_opens(
    chromium_factory: LaunchBrowser, sites: Sites, registry: SupervisorRegistry, markup: str, own_context: bool
) -> None:
    sites.pages |= {"/page": markup, "/report": Response("figures", headers=ATTACHED)}
    ours = Config(cdp_url=chromium_factory().ws_url, owns_browser=True, own_context=own_context)
    call = calls(Toolbox(ours, registry=registry, toolsets="all"))
    call("browser_navigate", url=sites.local("/page"))

    clicked = call("browser_click", ref="Report")
    waited = call("browser_wait", until="download", timeout=20)

    (told,) = [each for result in (clicked, waited) for each in result.get("downloads", ())]
    assert waited["success"], waited
    assert Path(told["path"]).read_text("utf-8") == "figures"
    assert "blockers" not in waited


@pytest.mark.parametrize(
    ("below", "mode", "why"),
    [
        ("file", 0o644, "file is no folder"),
        ("file/new", 0o644, "file is no folder"),
        ("folder/new", 0o555, "folder cannot be written"),
    ],
)
def test_a_folder_that_cannot_be_written_is_told(
    page: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str, mode: int, why: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / below.partition("/")[0]).chmod(mode)

    def access(path: Path, mode: int) -> bool:
        """Root may write anywhere, so here the mode of the file decides."""
        return bool(path.stat().st_mode & 0o200)

    monkeypatch.setattr("os.access", access)

    told = page.call("browser_page", action="download_to", text=str(tmp_path / below))

    assert (told["success"], f"{why}: a browser" in told["hint"]) == (True, True)
    if "file" in below:
        page.call("browser_click", ref="Report")
        assert not ended(page).get("is_complete")
    (tmp_path / "folder").chmod(0o755)
    assert "hint" not in page.call("browser_page", action="download_to", text=str(tmp_path / "other" / "new"))


def test_a_running_download_is_listed_and_outlives_another_folder(page: Bench, sites: Sites, tmp_path: Path) -> None:
    going_on = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"x" * 4096
        assert going_on.wait(30)
        yield b"end"

    page.call("browser_page", action="download_to", text=str(tmp_path))
    sites.pages["/report"] = lambda _: Response(pieces(), headers=ATTACHED)
    page.call("browser_click", ref="Report")
    try:
        page.value("new Promise(done => setTimeout(done, 300))")
        (running,) = page.call("browser_page", action="downloads")["files"]
        refused = page.call("browser_page", action="download_to", text=str(tmp_path / "other"))
    finally:
        going_on.set()

    assert (running["is_running"], "path" in running) == (True, False)
    assert (refused["error_type"], "wait for it" in refused["error"]) == ("InvalidArgument", True)
    assert complete(page, "").endswith("end")


def test_a_folder_that_the_policy_does_not_allow_is_refused(page: Bench, tmp_path: Path) -> None:
    held = page.under(Policy(allow_files=(f"{tmp_path}/*",)))

    assert held("browser_page", action="download_to", text="/srv/other")["error_type"] == "Refused"
    assert held("browser_page", action="download_to", text=str(tmp_path))["success"]
    assert page.call("browser_page", action="download_to", text="relative")["argument"] == "text"
    denied = page.under(Policy(deny_methods=("Browser.setDownloadBehavior",)))
    assert denied("browser_page", action="download_to", text=str(tmp_path))["error_type"] == "Refused"


def complete(page: Bench, content: str) -> str:
    """The content of the newest file, once it is complete and has this content in it."""
    for _ in range(50):
        files = page.call("browser_page", action="downloads")["files"]
        if files and files[-1].get("path"):
            text = Path(files[-1]["path"]).read_text("utf-8")
            if content in text:
                return text
        page.value("new Promise(done => setTimeout(done, 100))")
    raise AssertionError("no file came")


def ended(page: Bench) -> dict[str, Any]:
    """The last download, which ends soon."""
    for _ in range(100):
        files = page.call("browser_page", action="downloads")["files"]
        if files and not files[-1].get("is_running"):
            return dict(files[-1])
        page.value("new Promise(done => setTimeout(done, 100))")
    raise AssertionError("no download ended")
