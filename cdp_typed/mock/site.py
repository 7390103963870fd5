"""The pages that the mock's browser can visit, as values by URL.

    site = Site({
        "http://localhost/": Page("Top", frames=[Frame("http://other.test/form", "f")]),
        "http://other.test/form": Page("Form", script="window.ready = true"),
    })

An iframe of another site than its parent's becomes an out-of-process iframe (OOPIF) with its own target, as under
Chrome's site isolation. A site here is scheme plus host: the mock knows no list of public suffixes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from cdp_typed.mock.errors import SiteError
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.urls import ERRORS_BY_SCHEME, SRCDOC_URL, is_script_url, is_valid_url, scheme_of


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """An iframe element: `url` may be relative to its page; `name` is both its name and its id.

    With `srcdoc` the document is in the element itself, has the origin of its parent, and is not requested.
    """

    url: str = ""
    name: str = ""
    srcdoc: Page | None = None


class Link(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="link"):
    """A link; with `download` it saves the response under that name."""

    name: str
    url: str
    download: str = ""


class FileInput(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="file"):
    """A file input; `on_change` runs after files were selected."""

    name: str
    multiple: bool = False
    on_change: str = ""


class Resource(Struct, frozen=True, forbid_unknown_fields=True):
    """A subresource of a document; `url` may be relative. The `body` of the page at a script's URL runs."""

    url: str
    type: Literal["Image", "Script", "Stylesheet", "Font", "Media"] = "Image"


class Page(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document. `script` runs before the iframes exist, `on_load` when everything has loaded.

    With `beforeunload`, leaving the page opens a dialog if there was a user gesture on it, as in Chrome. `elements` are
    rows of 20 CSS pixels, from the top.

    `status`, `headers` and `body` are the HTTP response; the body is not parsed as HTML. `login` is the `user:password`
    without which the response is 401. A header `Content-Disposition: attachment` makes it a download.
    """

    title: str = ""
    frames: Sequence[Frame] = ()
    script: str = ""
    on_load: str = ""
    beforeunload: bool = False
    elements: Sequence[Link | FileInput] = ()
    resources: Sequence[Resource] = ()
    status: int = 200
    headers: Mapping[str, str] = {}
    body: str = ""
    login: str = ""


BLANK: Final = Page()
_OF_THE_NETWORK: Final = ("status", "headers", "body", "login")


class Site(Struct, frozen=True):
    """The pages, by absolute URL. Raises `SiteError` for a page that cannot be served."""

    pages: Mapping[str, Page] = {}

    def __post_init__(self) -> None:
        for url, page in self.pages.items():
            _check(url, page)

    def page(self, url: str) -> Page | None:
        """Return the page at `url`, ignoring its fragment; None if there is none."""
        known = self.pages.get(url) or self.pages.get(url.partition("#")[0])
        blank = scheme_of(url) == "about" and url != SRCDOC_URL
        return known or (BLANK if blank else None)

    def failure(self, url: str) -> str:
        """Return Chrome's net error for a URL without a page."""
        if scheme_of(url) in ERRORS_BY_SCHEME:
            return ERRORS_BY_SCHEME[scheme_of(url)]
        known = any(urlsplit(page).netloc == urlsplit(url).netloc for page in self.pages)
        return "net::ERR_HTTP_RESPONSE_CODE_FAILURE" if known else "net::ERR_CONNECTION_REFUSED"


def resolve(base: str, url: str) -> str:
    """Resolve `url` against the document at `base`."""
    return url if is_valid_url(url) else urljoin(base, url)


def origin_of(url: str) -> str:
    """Return the origin as the protocol writes it; `://` for an opaque one."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc and parts.scheme in ("http", "https") else "://"


def site_of(url: str) -> str:
    """Return the site, which decides the process: scheme and host without the port; empty for `about:blank`."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}" if parts.scheme in ("http", "https") else ""


def _check(url: str, page: Page) -> None:
    if not is_valid_url(url):
        raise SiteError(f"{url}: the address of a page is absolute")
    _check_document(url, page)


def _check_document(where: str, page: Page) -> None:
    scripts = {"script": page.script, "on_load": page.on_load}
    for element in page.elements:
        if isinstance(element, FileInput):
            scripts[f"elements: {element.name}: on_change"] = element.on_change
    for name, script in scripts.items():
        try:
            parse(script)
        except Unsupported as error:
            hint = "cdp_typed.mock knows little JavaScript: use cdp_typed.launch for more"
            raise SiteError(f"{where}: {name}: {error}; {hint}") from None
    for number, frame in enumerate(page.frames):
        _check_frame(f"{where}: frames[{number}]", frame)


def _check_frame(where: str, frame: Frame) -> None:
    if frame.srcdoc is None:
        if not frame.url:
            raise SiteError(f"{where}: an iframe has a url or a srcdoc")
        if is_script_url(frame.url):
            raise SiteError(f"{where}: the mock runs no javascript: address")
        return
    if frame.url:
        raise SiteError(f"{where}: a browser that has the srcdoc does not look at the url")
    for name in _OF_THE_NETWORK:
        if getattr(frame.srcdoc, name) != getattr(BLANK, name):
            raise SiteError(f"{where}: srcdoc: {name}: it does not come over the network")
    _check_document(f"{where}: srcdoc", frame.srcdoc)
