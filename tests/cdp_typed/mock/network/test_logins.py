"""Pages of the mock that require a login, and clients that provide the credentials."""

from __future__ import annotations

from cdp_typed.mock import Page
from tests.cdp_typed.mock.network_lines import evaluate, told, value, visit
from tests.cdp_typed.mock.raw_client import LOCAL, Client

SITE = {
    f"{LOCAL}/": Page(title="blank"),
    f"{LOCAL}/login": Page(title="inside", login="u:p", body="secret"),
}


def ask_for_login(client: Client, page: str) -> str:
    """Navigate to a page that requires a login, with `handleAuthRequests`; return the paused request."""
    client.result("Fetch.enable", {"handleAuthRequests": True}, page)
    client.send("Page.navigate", {"url": f"{LOCAL}/login"}, page)
    held = str(client.inbox[-1]["params"]["requestId"])
    client.send("Fetch.continueRequest", {"requestId": held}, page)
    return held


def log_in(client: Client, page: str, held: str, **answer: str) -> list[str]:
    return client.lines("Fetch.continueWithAuth", {"requestId": held, "authChallengeResponse": answer}, page)


def test_without_anybody_who_answers_a_page_is_not_shown_and_a_script_gets_the_refusal(
    client: Client, page: str
) -> None:
    held = ask_for_login(client, page)

    assert log_in(client, page, held, response="Default")[1] == (
        "page reply to Page.navigate net::ERR_INVALID_AUTH_CREDENTIALS"
    )
    client.send("Fetch.disable", {}, page)
    visit(client, page, "/")
    assert value(evaluate(client, page, "fetch('/login').then(r => r.status)")) == 401
    assert told(visit(client, page, "/login", domains=()))[3:5] == [
        f"responseReceived Document {LOCAL}/login 401",
        "loadingFailed Document net::ERR_INVALID_AUTH_CREDENTIALS",
    ]
