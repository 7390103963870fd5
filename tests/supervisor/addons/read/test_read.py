"""`browser_read`: pages as Markdown, on Chromium."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

from supervisor.addons.read.markdown import PART, in_parts
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites, iframe

Show: TypeAlias = Callable[[str], Call]

PAGE = """<!doctype html><link rel=icon href=data:,><title>Tea</title>
<style>.gone {display: none} .not {visibility: hidden}</style>
<nav><a href=/home>Home</a></nav>
<h1>Green tea</h1><p>A <b>fine</b> tea, see <a href=/more>more</a> <a href=/icon aria-label="help"><svg></svg></a>.
<p class=gone>GONE</p><p class=not>GONE <b style="visibility: visible">seen</b></p>
<table><tr><th>Kind</th><th>Price</th></tr><tr><td>Sencha</td><td>2 | 3</td></tr></table>
<ul><li>one<li>two<ul><li>three</ul></ul>
<pre><code class="language-py">a = 1
b = 2</code></pre>
<label>Pin <input type=password value=GONE></label><script>'GONE'</script>
<div id=host></div><script>
host.attachShadow({mode: 'open'}).innerHTML = '<h2>Inside</h2><slot></slot>'; host.append('slotted')
</script>
<footer>Imprint</footer>"""  # fmt: skip


@pytest.fixture
def show(tools: Tools, sites: Sites) -> Show:
    """`show(html)` shows a page and returns the calls of tools."""
    call = tools()

    def show(html: str) -> Call:
        sites.pages["/page"] = html
        assert call("browser_navigate", url=sites.local("/page"))["success"]
        return call

    return show


def test_a_page_is_read_as_markdown_without_navigation(show: Show, sites: Sites) -> None:
    call = show(PAGE)

    result = call("browser_read")
    text = result["markdown"]

    assert (result["title"], "parts" in result) == ("Tea", False)
    assert {"title", "markdown"} <= set(result["untrusted"])
    assert text.startswith("# Green tea")
    assert f"A **fine** tea, see [more]({sites.local('/more')}) [help]({sites.local('/icon')})" in text
    assert "| Kind | Price |" in text
    assert "| Sencha | 2 \\| 3 |" in text
    assert "- one\n- two\n  * three" in text
    assert "```py\na = 1\nb = 2\n```" in text
    assert "## Inside\n\nslotted" in text
    assert "seen" in text
    assert "GONE" not in text
    assert "Home" not in text
    assert "Imprint" not in text
    assert len(text) < len(call("browser_snapshot")["page"])


def test_everything_or_an_element_is_read_when_asked_for(show: Show) -> None:
    call = show(PAGE)

    whole = call("browser_read", all=True)["markdown"]

    assert "Home" in whole
    assert "Imprint" in whole
    assert call("browser_read", ref="css=table")["markdown"].startswith("| Kind | Price |")
    assert call("browser_read", ref="css=nav")["markdown"].startswith("[Home](")
    assert call("browser_read", ref="css=nav", frame_id="e1")["argument"] == "frame_id"


def test_a_frame_from_another_site_is_read_by_its_id(show: Show, sites: Sites) -> None:
    sites.pages["/inner"] = "<h2>Inner</h2>"
    call = show(f"<h1>Outer</h1>{iframe(sites.remote('/inner'))}")
    call("browser_wait", until="loaded")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]

    assert call("browser_read", frame_id=child["frame_id"])["markdown"] == "## Inner"
    assert call("browser_read")["markdown"] == "# Outer"


def test_a_long_page_is_read_in_parts(show: Show) -> None:
    call = show("".join(f"<p>paragraph {number} of a long page" for number in range(1500)))

    first = call("browser_read")
    parts = [call("browser_read", part=part + 1)["markdown"] for part in range(first["parts"])]

    assert first["parts"] == 6
    assert max(map(len, parts)) <= PART
    assert "\n\n".join(parts).split("\n\n") == [f"paragraph {number} of a long page" for number in range(1500)]
    assert "the page has 6 parts" in call("browser_read", part=7)["error"]


def test_a_text_that_a_script_nests_deeply_is_read(show: Show) -> None:
    call = show(
        "<body><script>let node = document.body; for (let i = 0; i < 2000; i++) "
        "node = node.appendChild(document.createElement('div')); node.append('deep \\ud800 word')</script>"
    )

    text = call("browser_read")["markdown"]

    assert text.startswith("deep ")
    assert text.endswith(" word")


def test_a_page_of_navigation_alone_is_read_whole(show: Show) -> None:
    assert show("<nav>only this</nav>")("browser_read")["markdown"] == "only this"


def test_without_its_library_an_extra_is_named(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "html_to_markdown", None)

    assert "pip install 'cdp-typed[reading]'" in show("<p>x")("browser_read")["error"]


@pytest.mark.parametrize("text", ["", "a" * (3 * PART), "word " * PART, "line\n" * PART])
def test_parts_are_the_whole_text(text: str) -> None:
    parts = in_parts(text)

    assert max(map(len, parts)) <= PART
    assert "".join("".join(parts).split()) == "".join(text.split())
