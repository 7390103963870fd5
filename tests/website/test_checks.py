"""What is wrong with a built site is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from website.checks import complaints

FINE = {
    "index.html": '<a href="guide/#top">guide</a> <a href="https://example.com/">elsewhere</a> <img src="shop.png">',
    "guide/index.html": '<h1 id="top">Guide</h1> <a href="..">home</a> <a href="#top">up</a> <a href="../shop.png">',
    "404.html": '<a href="/guide/">guide</a>',
    "shop.png": "",
}


def site(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_nothing_is_wrong_with_a_site_whose_links_lead_somewhere(tmp_path: Path) -> None:
    assert complaints(site(tmp_path, FINE), modules=()) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('<a href="gone/">', "gone/ leads to no page"),
        ('<a href="../up/">', "../up/ leads to no page"),
        ('<a href="guide/#gone">', "guide/#gone leads to no anchor"),
        ('<a href="#gone">', "#gone leads to no anchor"),
        ('<a href="htp://example.com/">', "htp://example.com/ is no address"),
        ('<a href="https:///path">', "https:///path is no address"),
        ('<img src="gone.png">', "it loads gone.png, which is not there"),
        ('<script src="https://cdn.example/x.js">', "it loads https://cdn.example/x.js from elsewhere"),
        ('<link rel="stylesheet" href="//fonts.example/a.css">', "it loads //fonts.example/a.css from elsewhere"),
    ],
)
def test_what_is_wrong_with_a_page_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    pages = FINE | {"index.html": FINE["index.html"] + text}

    assert complaints(site(tmp_path, pages), modules=()) == [f"index.html: {complaint}"]


def test_a_page_that_nothing_leads_to_is_told(tmp_path: Path) -> None:
    pages = FINE | {"alone/index.html": '<a href="..">home</a>'}

    assert complaints(site(tmp_path, pages), modules=()) == ["alone/index.html: no link leads to it"]


def test_a_public_name_that_is_not_described_is_told(tmp_path: Path) -> None:
    names = '<a href="..">home</a><b id="cdp_typed.schema.diff.Difference">'
    pages = FINE | {
        "index.html": FINE["index.html"] + '<a href="api/cdp_typed.schema.diff/">',
        "api/cdp_typed.schema.diff/index.html": f'{names}<a href="../..">',
        "api/index.html": "",
    }

    found = complaints(site(tmp_path, pages), modules=("cdp_typed.schema.diff",))

    assert "api/cdp_typed.schema.diff/index.html: cdp_typed.schema.diff.compare is not described" in found
    assert not any("Difference" in complaint for complaint in found)
