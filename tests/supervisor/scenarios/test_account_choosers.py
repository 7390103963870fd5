"""The account chooser of a federated login (FedCM): on real Chromium, with an identity provider of the test's own."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import fed_cm, page
from supervisor import CallTimeout, CDPSupervisor
from tests.support.servers.sites import Request, Response, Sites

LOGIN = """const login = url => navigator.credentials.get(
    {identity: {providers: [{configURL: url, clientId: 'c', nonce: 'n'}]}}
).then(got => answer = got.token, error => answer = error.name); let answer = ''"""


def as_json(request: Request, content: object) -> Response:
    headers = {"Content-Type": "application/json"}
    if origin := request.headers.get("origin"):
        headers |= {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}
    return Response(json.dumps(content), headers=headers)


@pytest.fixture
def sites(no_leaks: None) -> Iterator[Sites]:
    """A page that logs in with an identity provider on its own site."""
    with Sites() as running:
        provider = {
            "accounts_endpoint": "/accounts",
            "client_metadata_endpoint": "/client",
            "id_assertion_endpoint": "/assertion",
            "login_url": "/",
        }
        ada = {"id": "1", "name": "Ada Lovelace", "email": "ada@example.test", "given_name": "Ada"}
        running.pages |= {
            "/": Response(f"<script>{LOGIN}</script>", headers={"Content-Type": "text/html", "Set-Login": "logged-in"}),
            "/config": lambda request: as_json(request, provider),
            "/.well-known/web-identity": lambda request: as_json(
                request, {"provider_urls": [running.local("/config")]}
            ),
            "/accounts": lambda request: as_json(request, {"accounts": [ada]}),
            "/client": lambda request: as_json(request, {}),
            "/assertion": lambda request: as_json(request, {"token": "from the provider"}),
        }
        yield running


@pytest.mark.parametrize(("choose", "answer"), [(True, "from the provider"), (False, "NetworkError")])
def test_an_account_chooser_is_a_blocker_that_a_command_ends(
    chromium: LaunchedBrowser, sites: Sites, choose: bool, answer: str
) -> None:
    with CDPSupervisor(chromium.ws_url, scope="own") as supervisor:
        supervisor.navigate(sites.local("/"))
        supervisor.send(page.BringToFront())  # a tab in the background shows no chooser
        with pytest.raises(CallTimeout, match="b-1"):
            supervisor.evaluate(f"login('{sites.local('/config')}')", user_gesture=True, timeout_s=3)

        (blocker,) = supervisor.wait_for(lambda now: bool(now.blockers), timeout_s=10).blockers
        assert (blocker.kind, blocker.url) == ("account_chooser", sites.local("/config"))
        assert blocker.text.endswith("Ada Lovelace <ada@example.test>")
        assert blocker.ways_out == (fed_cm.SelectAccount.METHOD, fed_cm.DismissDialog.METHOD)
        dialog_id = blocker.text.split()[1].rstrip(",")
        if choose:
            supervisor.send(fed_cm.SelectAccount(dialog_id=dialog_id, account_index=0))
        else:
            supervisor.send(fed_cm.DismissDialog(dialog_id=dialog_id))

        supervisor.wait_for(lambda now: not now.blockers, timeout_s=10)
        waiting = "new Promise(done => setInterval(() => answer && done(answer), 20))"
        assert supervisor.evaluate(waiting, timeout_s=10).value == answer
