"""The pages of a site, as a real browser gets them over HTTP."""

from __future__ import annotations

import contextlib
import http.client
import threading

import pytest

from cdp_typed.mock import FileInput, Link, Page, Resource, Site
from cdp_typed.mock.server.site_server import SiteServer, answer
from cdp_typed.mock.state.http import HttpRequest

URL = "http://shop.test/"


def body_of(page: Page) -> str:
    """The document without the first line, which all have."""
    answered = answer(Site({URL: page}), HttpRequest("GET", URL))
    assert answered is not None
    return "\n".join(answered[2].splitlines()[1:])


def test_subresources_are_elements_that_request_them() -> None:
    page = Page(
        resources=[
            Resource("/a.png?b=1&c=2"),
            Resource("/a.js", "Script"),
            Resource("/a.css", "Stylesheet"),
            Resource("/a.woff", "Font"),
            Resource("/a.mp3", "Media"),
        ]
    )

    assert body_of(page) == "\n".join(
        (
            "<title></title>",
            '<img src="/a.png?b=1&amp;c=2">',
            '<script src="/a.js"></script>',
            '<link rel="stylesheet" href="/a.css">',
            '<link rel="preload" as="font" crossorigin href="/a.woff">',
            '<audio preload="auto" src="/a.mp3"></audio>',
        )
    )


def test_links_and_file_inputs_are_where_the_mock_has_them() -> None:
    page = Page(elements=[Link("near", "/x", download="y"), FileInput("f", multiple=True, on_change='alert("a")')])

    assert body_of(page) == "\n".join(
        (
            "<title></title>",
            '<a id="near" href="/x" download="y" style="position: absolute; left: 0; top: 0px; height: 20px; '
            'width: 200px">near</a>',
            '<input type="file" id="f" multiple onchange="alert(&quot;a&quot;)" style="position: absolute; left: 0; '
            'top: 20px; height: 20px">',
        )
    )


@pytest.mark.parametrize(
    ("page", "headers", "body"),
    [
        (Page(title="A", body="b"), {"Content-Type": "text/html; charset=utf-8"}, "b"),
        (Page(title="A", headers={"Content-Type": "text/plain"}), {"Content-Type": "text/plain"}, ""),
        (
            Page(title="A", headers={"Content-Disposition": "attachment"}),
            {"Content-Type": "text/html; charset=utf-8", "Content-Disposition": "attachment"},
            "",
        ),
    ],
    ids=["with_a_body", "no_html", "a_download"],
)
def test_only_a_document_of_html_without_a_body_is_made(page: Page, headers: dict[str, str], body: str) -> None:
    assert answer(Site({URL: page}), HttpRequest("GET", URL)) == (200, headers, body)


def test_a_connection_that_a_browser_opened_in_advance_ends_with_the_site() -> None:
    before = threading.active_count()
    with contextlib.closing(SiteServer()) as server:
        with server.serving(Site({f"http://127.0.0.1:{server.port}/": Page(body="a")})):
            waiting = http.client.HTTPConnection("127.0.0.1", server.port)
            waiting.connect()
            other = http.client.HTTPConnection("127.0.0.1", server.port)
            other.request("GET", "/")
            first = other.getresponse().read()
        left = threading.active_count() - before
        with server.serving(Site({f"http://127.0.0.1:{server.port}/": Page(body="b")})):
            other.request("GET", "/")
            second = other.getresponse().read()
        assert waiting.sock.recv(1) == b""
    for connection in (waiting, other):
        connection.close()

    assert (first, second, left) == (b"a", b"b", 0)
