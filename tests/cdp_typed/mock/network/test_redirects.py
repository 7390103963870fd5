"""Redirects: one request with one id across all redirects."""

from __future__ import annotations

import pytest

from cdp_typed.mock import Frame, Link, Page, Resource
from tests.cdp_typed.mock.network_lines import evaluate, value, visit
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client


def moved(to: str, status: int = 302, **headers: str) -> Page:
    return Page(status=status, headers={"Location": to, **headers})


SITE = {
    f"{LOCAL}/": Page(title="Here"),
    f"{LOCAL}/moved": moved("/"),
    f"{LOCAL}/circle": moved("/circle"),
    f"{LOCAL}/file": moved("file:///"),
    f"{LOCAL}/picture": Page(resources=[Resource("/moved-picture")]),
    f"{LOCAL}/moved-picture": moved("/i.png"),
    f"{LOCAL}/i.png": Page(body="png", headers={"Content-Type": "image/png"}),
    f"{LOCAL}/framed": Page(frames=[Frame(f"{REMOTE}/inner", "f")]),
    f"{LOCAL}/data": Page(body="data", headers={"Content-Type": "text/plain"}),
    f"{LOCAL}/download": Page(elements=[Link("get", "/moved-data", download="x.txt"), Link("lost", "/circle", "y")]),
    f"{LOCAL}/moved-data": moved("/data"),
    f"{LOCAL}/away": moved(f"{REMOTE}/open"),
    f"{REMOTE}/inner": Page(),
    f"{REMOTE}/closed": moved(f"{LOCAL}/data"),
    f"{REMOTE}/open": Page(body="open", headers={"Access-Control-Allow-Origin": "*"}),
    **{f"{LOCAL}/{status}": moved("/data", status) for status in (301, 302, 303, 307, 308)},
}


@pytest.mark.parametrize(
    ("method", "status", "second"),
    [
        ("POST", 301, ("GET", None)),
        ("POST", 302, ("GET", None)),
        ("POST", 303, ("GET", None)),
        ("POST", 307, ("POST", "x")),
        ("POST", 308, ("POST", "x")),
        ("PUT", 302, ("PUT", "x")),
        ("PUT", 303, ("GET", None)),
        ("HEAD", 303, ("HEAD", None)),
    ],
)
def test_what_is_asked_for_the_second_time(
    client: Client, page: str, method: str, status: int, second: tuple[str, str | None]
) -> None:
    visit(client, page)
    body = "" if method == "HEAD" else ", body: 'x'"

    got = evaluate(client, page, f"fetch('/{status}', {{method: '{method}'{body}}}).then(r => r.redirected + r.url)")

    again = [event["params"]["request"] for event in got if event.get("method") == "Network.requestWillBeSent"][1]
    assert (again["method"], again.get("postData")) == second
    assert value(got) == f"true{LOCAL}/data"


def test_a_download_by_a_link_is_followed_to_its_end(client: Client, page: str) -> None:
    visit(client, page, "/download")

    evaluate(client, page, "document.getElementById('get').click()")
    evaluate(client, page, "document.getElementById('lost').click()")

    begun = [event["params"]["url"] for event in client.inbox if event.get("method") == "Page.downloadWillBegin"]
    assert begun[0] == f"{LOCAL}/data"
