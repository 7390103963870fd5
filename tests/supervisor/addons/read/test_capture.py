"""`browser_capture` on Chromium: pages and elements as files."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites

PAGE = """<!doctype html><link rel=icon href=data:,><title>Long</title><body style="margin: 0">
<div style="height: 3000px; background: #f00"></div>
<div id=box style="width: 50px; height: 20px; background: #00f"></div>"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))


@pytest.fixture
def call(tools: Tools, sites: Sites) -> Call:
    sites.pages["/"] = PAGE
    call = tools()
    call("browser_navigate", url=sites.local("/"))
    return call


def papers(data: bytes) -> list[tuple[int, int]]:
    """The sizes of the pages of a PDF."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


@pytest.mark.parametrize(("paper", "size"), [("A4", (596, 842)), ("Letter", (612, 792))])
def test_a_pdf_has_all_pages_on_the_paper(call: Call, tmp_path: Path, paper: str, size: tuple[int, int]) -> None:
    result = call("browser_capture", name="long", paper=paper)

    path = tmp_path / "long.pdf"
    data = path.read_bytes()
    assert (result["path"], result["size"]) == (str(path), len(data))
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(papers(data)) >= 3
    assert {*papers(data)} == {size}


def test_a_pdf_lies_on_its_side_where_asked_and_a_picture_does_not(call: Call, tmp_path: Path) -> None:
    assert call("browser_capture", name="wide", landscape=True)["success"]
    refused = call("browser_capture", name="wide", landscape=True, format="png")

    assert {*papers((tmp_path / "wide.pdf").read_bytes())} == {(842, 596)}
    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "landscape")
    assert not (tmp_path / "wide.png").exists()


def test_a_webp_is_a_picture_of_the_whole_page(call: Call, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/"] = "<body style='margin:0'><div style='height:3020px;background:conic-gradient(red,lime,blue,red)'>"
    call("browser_navigate", url=sites.local("/"))
    whole, small = (call("browser_capture", name=f"q{q}", format="webp", quality=q) for q in (95, 5))

    data = (tmp_path / "q95.webp").read_bytes()
    assert (data[:4], data[8:12], whole["size"]) == (b"RIFF", b"WEBP", len(data))
    assert small["size"] < whole["size"]
    encoded = base64.b64encode(data).decode()
    script = f"createImageBitmap(new Blob([Uint8Array.from(atob('{encoded}'), c => c.charCodeAt(0))]))"
    size = call("browser_evaluate", expression=f"{script}.then(image => [image.width, image.height])")["value"]
    assert size == [whole["width"], whole["height"]] == [whole["width"], 3020]


def test_a_text_has_the_lines_of_all_frames_without_refs_and_no_text_of_the_policy(
    tools: Tools, sites: Sites, tmp_path: Path
) -> None:
    sites.pages["/"] = f"<h1>Coffee-beans</h1><button>Buy</button><iframe src={sites.remote('/price')}></iframe>"
    sites.pages["/price"] = "<p>1 EUR"
    call = tools(Policy(redact=("Coffee.beans",)))
    call("browser_navigate", url=sites.local("/"))

    whole = call("browser_capture", name="whole", format="txt")
    call("browser_capture", name="button", format="txt", ref='button "Buy"')

    text = (tmp_path / "whole.txt").read_text()
    assert (whole["path"], whole["size"]) == (str(tmp_path / "whole.txt"), len(text.encode()))
    assert [word for word in ("[redacted]", 'button "Buy"', "1 EUR") if word not in text] == []
    assert [word for word in ("Coffee", "[ref=") if word in text] == []
    assert (tmp_path / "button.txt").read_text() == 'button "Buy"\n'
    assert (tmp_path / "button.txt").stat().st_mode & 0o777 == 0o600


def test_a_text_is_refused_while_a_dialog_is_open(call: Call, tmp_path: Path) -> None:
    call("browser_evaluate", expression="setTimeout(() => alert('x'))")
    call("browser_wait", until="dialog")

    assert call("browser_capture", name="x", format="txt")["error_type"] == "BlockedByDialog"
    assert list(tmp_path.iterdir()) == []


def test_a_picture_has_the_whole_page_and_an_element_alone(call: Call, tmp_path: Path) -> None:
    whole = call("browser_capture", name="whole", format="png")
    part = call("browser_capture", name="part", format="png", ref="css=#box")
    low, high = (call("browser_capture", name="q", format="jpeg", quality=quality)["size"] for quality in (5, 95))

    assert (whole["height"], whole["width"]) == (3020, whole["width"])
    assert dimensions(tmp_path / "whole.png") == (whole["width"], 3020)
    assert (part["width"], part["height"]) == (50, 20) == dimensions(tmp_path / "part.png")
    assert low < high


def test_an_element_higher_than_the_window_is_whole(call: Call, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/"] = """<!doctype html><link rel=icon href=data:,><body style="margin: 0">
        <div style="height: 700px"></div><div id=high style="width: 60px; height: 3000px; background: #00f"></div>
        <div id=longer style="width: 60px; height: 9000px"></div>
        <div style="height: 300px; overflow: auto"><div id=inner style="height: 2000px"></div></div>
        <div style="height: 3000px">"""
    call("browser_navigate", url=sites.local("/"))

    high = call("browser_capture", name="high", format="png", ref="css=#high")
    longer = call("browser_capture", name="longer", format="png", ref="css=#longer")
    inner = call("browser_capture", name="inner", format="png", ref="css=#inner")

    assert (high["width"], high["height"], high.get("is_cut", False)) == (60, 3000, False)
    assert dimensions(tmp_path / "high.png") == (60, 3000)
    data = base64.b64encode((tmp_path / "high.png").read_bytes()).decode()
    assert call("browser_evaluate", expression=COLOURS % data)["value"] == [[0, 0, 255]] * 3
    assert (longer["height"], longer["is_cut"]) == (8000, True)
    assert (inner["height"], inner["is_cut"]) == (300, True)


COLOURS = """(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,%s';
    await picture.decode();
    const on = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    on.drawImage(picture, 0, 0);
    return [1, 1500, 2998].map(y => [...on.getImageData(30, y, 1, 1).data].slice(0, 3));
})()"""
"""The colours of a picture at its top, in its middle and at its end."""


def dimensions(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_neither_a_path_nor_a_pdf_of_an_element_is_taken(call: Call, tmp_path: Path) -> None:
    refused = call("browser_capture", name="../x")
    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "name")
    assert call("browser_capture", name="x", ref="css=#box")["error_type"] == "InvalidArgument"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("form", "method"), [("pdf", "Page.printToPDF"), ("png", "Page.captureScreenshot")])
def test_a_policy_that_denies_the_command_denies_the_capture(tools: Tools, form: str, method: str) -> None:
    held = tools(Policy(deny_methods=(method,)))

    assert held("browser_capture", name="x", format=form)["error_type"] == "Refused"
