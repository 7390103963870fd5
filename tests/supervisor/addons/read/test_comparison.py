"""`browser_capture` compared with an earlier capture, on Chromium and without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from supervisor import Config, SupervisorRegistry
from supervisor.addons.read.comparison import MOST_CHARACTERS, compare_lines, compare_pictures
from supervisor.tools import Policy, Toolbox
from supervisor.tools.framework.tool_errors import InvalidArgument
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites
from tests.support.stages.shared_browser import SharedBrowser

PLAIN = """<!doctype html><link rel=icon href=data:,><title>Shop</title><body style="margin: 0">
<div id=box style="width: 50px; height: 20px; background: #00f"></div><h1>{title}</h1><button>Buy</button>"""
FRAMED = PLAIN + """<iframe src="{inside}" style="border: 0; width: 100px; height: 40px"></iframe>"""
INSIDE = "<!doctype html><body style='margin: 0; background: #fff'><p>{price}"
RED = "document.querySelector('#box').style.background = '#f00'"


@pytest.fixture
def endpoint(shared_chromium: SharedBrowser) -> str:
    return shared_chromium.empty().ws_url


@pytest.fixture
def registry() -> Iterator[SupervisorRegistry]:
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


@pytest.fixture
def call(
    endpoint: str, registry: SupervisorRegistry, sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Call:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    sites.pages["/"] = PLAIN.format(title="Tea")
    sites.pages["/old"] = FRAMED.format(title="Tea", inside=sites.remote("/price1"))
    sites.pages["/new"] = FRAMED.format(title="Coffee", inside=sites.remote("/price2"))
    sites.pages["/price1"] = INSIDE.format(price="1 EUR")
    sites.pages["/price2"] = INSIDE.format(price="2 EUR")
    policy = Policy(redact=("Coffee.beans",))
    call = calls(Toolbox(Config(cdp_url=endpoint, call_timeout_s=20), registry=registry, toolsets="all", policy=policy))
    call("browser_navigate", url=sites.local("/"))
    return call


def test_a_picture_is_compared_with_an_earlier_one(call: Call, tmp_path: Path) -> None:
    first = call("browser_capture", name="first", format="png")
    call("browser_evaluate", expression=RED)

    second = call("browser_capture", name="second", format="png", since="first")

    width, height = picture(first["path"]).size
    assert (second["has_changed"], second["box"]) == (True, [0, 0, 50, 20])
    assert second["part"] == round(1000 / (width * height), 6)
    assert second["path"] == str(tmp_path / "second.png")
    marked = picture(second["changes"])
    assert [marked.getpixel(at) for at in ((0, 0), (49, 19))] == [(255, 0, 0)] * 2
    assert marked.getpixel((50, 20)) != (255, 0, 0)


def test_a_picture_that_has_not_changed_is_not_written(call: Call, tmp_path: Path) -> None:
    call("browser_capture", name="first", format="png")

    second = call("browser_capture", name="second", format="png", since="first.png")

    assert (second["has_changed"], second["part"], "path" in second) == (False, 0, False)
    assert [path.name for path in tmp_path.iterdir()] == ["first.png"]


def test_a_change_within_the_tolerance_counts_as_none(call: Call, tmp_path: Path) -> None:
    call("browser_capture", name="first", format="png")
    call("browser_evaluate", expression=RED)

    within = call("browser_capture", name="second", format="png", since="first", tolerance=0.1)
    beyond = call("browser_capture", name="second", format="png", since="first", tolerance=0.000001)

    assert (within["has_changed"], within["part"] > 0, within["box"]) == (False, True, [0, 0, 50, 20])
    assert "path" not in within
    assert (beyond["has_changed"], beyond["path"]) == (True, str(tmp_path / "second.png"))


def test_a_lossy_picture_differs_where_the_page_does(call: Call) -> None:
    call("browser_capture", name="lossy", format="webp")
    same = call("browser_capture", name="lossy", format="webp", since="lossy")
    call("browser_evaluate", expression=RED)

    other = call("browser_capture", name="lossy", format="webp", since="lossy")

    assert (same["has_changed"], other["has_changed"], other["box"][:2]) == (False, True, [0, 0])


def test_an_element_alone_is_compared(call: Call) -> None:
    call("browser_capture", name="button", format="png", ref='button "Buy"')
    call("browser_evaluate", expression=RED)

    button = call("browser_capture", name="button", format="png", ref='button "Buy"', since="button")

    assert button["has_changed"] is False


def test_two_addresses_are_compared_as_texts_and_as_pictures(call: Call, sites: Sites, tmp_path: Path) -> None:
    call("browser_navigate", url=sites.local("/old"))
    text = call("browser_capture", name="old", format="txt")
    call("browser_capture", name="old", format="png")
    call("browser_navigate", url=sites.local("/new"))

    lines = call("browser_capture", name="new", format="txt", since="old")
    pixels = call("browser_capture", name="new", format="png", since="old")

    changed = [line for line in lines["lines"].splitlines() if line[0] in "+-"]
    words = [(line[0], word) for line in changed for word in ("Tea", "Coffee", "1 EUR", "2 EUR") if word in line]
    assert words == [("-", "Tea"), ("+", "Coffee"), ("-", "1 EUR"), ("+", "2 EUR")]
    assert "[ref=" not in Path(text["path"]).read_text()
    assert 'button "Buy"' in Path(text["path"]).read_text()
    assert (lines["has_changed"], lines["path"], pixels["has_changed"]) == (True, str(tmp_path / "new.txt"), True)
    assert (tmp_path / "new.txt").stat().st_mode & 0o777 == 0o600


def test_a_text_is_the_same_after_a_reload_and_shows_no_text_of_the_policy(call: Call, tmp_path: Path) -> None:
    call("browser_evaluate", expression="document.querySelector('button').append(' Coffee-beans')")
    call("browser_capture", name="first", format="txt")
    call("browser_page", action="reload")
    call("browser_evaluate", expression="document.querySelector('button').append(' Coffee-beans')")

    second = call("browser_capture", name="second", format="txt", since="first")

    assert second["has_changed"] is False
    assert "[redacted]" in (tmp_path / "first.txt").read_text()
    assert "Coffee-beans" not in (tmp_path / "first.txt").read_text()


def test_an_element_is_compared_as_text(call: Call, tmp_path: Path) -> None:
    call("browser_capture", name="button", format="txt", ref='button "Buy"')
    call("browser_evaluate", expression="document.querySelector('button').disabled = true")

    button = call("browser_capture", name="button", format="txt", ref='button "Buy"', since="button")

    assert button["lines"].splitlines()[1:] == ['-button "Buy"', '+button "Buy" [disabled]']
    assert (tmp_path / "button.txt").read_text() == 'button "Buy" [disabled]\n'


def test_a_text_is_refused_while_a_dialog_is_open(call: Call, tmp_path: Path) -> None:
    call("browser_evaluate", expression="setTimeout(() => alert('x'))")
    call("browser_wait", until="dialog")

    assert call("browser_capture", name="x", format="txt")["error_type"] == "BlockedByDialog"
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_compared_is_refused(call: Call, tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")

    refused = {
        (form, since): call("browser_capture", name="x", format=form, since=since)
        for form, since in (("pdf", "a"), ("png", "missing"), ("txt", "missing"), ("png", "broken"))
    }

    assert {each["argument"] for each in refused.values()} == {"since"}
    outside = call("browser_capture", name="x", format="png", since="../broken")
    assert (outside["error_type"], outside["argument"]) == ("InvalidArgument", "since")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.png"]


def picture(path: str) -> Image.Image:
    return Image.open(BytesIO(Path(path).read_bytes()))


def png(size: tuple[int, int], colour: str) -> bytes:
    written = BytesIO()
    Image.new("RGB", size, colour).save(written, "PNG")
    return written.getvalue()


def test_pixels_that_only_one_picture_has_differ() -> None:
    found = compare_pictures(png((10, 4), "white"), png((6, 8), "white"))

    assert (found.part, found.box) == ((4 * 4 + 6 * 4) / 80, (0, 0, 10, 8))
    assert Image.open(BytesIO(found.picture)).size == (10, 8)


def test_equal_pictures_have_no_area_that_differs() -> None:
    found = compare_pictures(png((5, 5), "red"), png((5, 5), "red"))

    assert (found.part, found.box) == (0, None)


def test_a_long_difference_is_cut_at_a_line() -> None:
    found = compare_lines("", "".join(f"line {number}\n" for number in range(5000)))

    shown = found.text.splitlines()
    assert len(found.text) <= MOST_CHARACTERS
    assert len(shown) + found.lines_left == 5001
    assert shown[-1] == f"+line {len(shown) - 2}"


def test_a_picture_too_large_to_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)

    with pytest.raises(InvalidArgument, match="cannot be compared"):
        compare_pictures(png((50, 50), "red"), png((5, 5), "red"))
