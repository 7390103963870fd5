"""Checks of the built site: links, anchors, pages that nothing leads to, and what would be loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

from website.reference import PUBLIC_MODULES, public_names

_LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("use", "href")}


class _Page(HTMLParser):
    """A page's anchors, its links, and the addresses that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of an element."""
        values = {name: value for name, value in attrs if value is not None}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        if tag == "link" and values.get("rel") not in {"canonical", "prev", "next", "alternate"}:
            self.loads.add(values.get("href", ""))
        self.loads.update(values[name] for element, name in _LOADED if element == tag and name in values)


def complaints(site: Path, modules: Iterable[str] = PUBLIC_MODULES) -> list[str]:
    """Return a sentence for each thing that is wrong with the site in a folder; none when all is well.

    `modules` are those whose public names have to be described.
    """
    pages = {
        str(path.relative_to(site)): _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))
    }
    found = [f"{name}: {complaint}" for name, page in pages.items() for complaint in _of_page(site, pages, name, page)]
    found += [f"{name}: no link leads to it" for name in sorted({*pages} - _reached(pages) - {"404.html"})]
    return [*found, *_missing_names(pages, modules)]


def _of_page(site: Path, pages: dict[str, _Page], name: str, page: _Page) -> Iterator[str]:
    for load in sorted(page.loads):
        if urlsplit(load).scheme or load.startswith("//"):
            yield f"it loads {load} from elsewhere"
        elif not (site / _target(name, load)[0]).is_file():
            yield f"it loads {load}, which is not there"
    for link in sorted(page.links):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if not (parts.netloc if parts.scheme in {"http", "https"} else parts.scheme == "mailto" and parts.path):
                yield f"{link} is no address"
            continue
        target, anchor = _target(name, link)
        if target not in pages and not (site / target).is_file():
            yield f"{link} leads to no page"
        elif anchor and target in pages and anchor not in pages[target].anchors and anchor != "__skip":
            yield f"{link} leads to no anchor"


def _target(name: str, link: str) -> tuple[str, str]:
    """The file that a link of a page leads to, and the anchor in it."""
    parts = urlsplit(link)
    if not parts.path:
        return name, unquote(parts.fragment)
    base = "" if name == "404.html" or parts.path.startswith("/") else dirname(name)
    path = normpath(f"{base}/{unquote(parts.path)}".lstrip("/"))
    if parts.path.endswith(("/", "/.", "/..")) or path == "." or parts.path in {".", ".."}:
        path = normpath(f"{path}/index.html")
    return path, unquote(parts.fragment)


def _reached(pages: dict[str, _Page]) -> set[str]:
    reached: set[str] = set()
    waiting = ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in pages and name not in reached:
            reached.add(name)
            waiting += [_target(name, link)[0] for link in pages[name].links if not urlsplit(link).scheme]
    return reached


def _missing_names(pages: dict[str, _Page], modules: Iterable[str]) -> Iterator[str]:
    for module in modules:
        name = f"api/{module}/index.html"
        anchors = pages[name].anchors if name in pages else set[str]()
        for public in public_names(module):
            if public not in anchors:
                yield f"{name}: {public} is not described"
