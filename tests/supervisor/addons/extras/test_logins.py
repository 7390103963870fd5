"""Passkeys and account choosers on Chromium, as a page and its server see them."""

from __future__ import annotations

from cdp_typed.protocol import page as page_domain
from cdp_typed.protocol import runtime
from supervisor.tools import Policy
from tests.supervisor.scenarios.test_account_choosers import LOGIN, as_json
from tests.support.servers.sites import Response, Sites, iframe

from .conftest import Bench

PASSKEY_PAGE = """<title>login</title><script>
const challenge = new Uint8Array(32), publicKey = {challenge, userVerification: 'required'};
const register = () => navigator.credentials.create({publicKey: {
    challenge, rp: {name: 'Shop'}, user: {id: new Uint8Array([7]), name: 'ann', displayName: 'Ann'},
    pubKeyCredParams: [{type: 'public-key', alg: -7}],
    authenticatorSelection: {residentKey: 'required', userVerification: 'required'}}}).then(made => made.id);
const login = () => navigator.credentials.get({publicKey}).then(
    used => [used.id, used.response.userHandle.byteLength], error => [error.name, 0]);
</script>"""


def test_a_page_registers_a_passkey_and_logs_in_with_it_also_after_a_navigation(bench: Bench, sites: Sites) -> None:
    sites.pages |= {"/login": PASSKEY_PAGE, "/other": "<title>o</title>"}
    bench.open(sites.local("/login"))

    assert bench.call("browser_page", action="passkeys")["passkeys"] == []
    made = bench.call("browser_evaluate", expression="register()")["value"]
    bench.open(sites.remote("/other"))
    bench.open(sites.local("/login"))
    used = bench.call("browser_evaluate", expression="login()")["value"]

    assert used == [made, 1]
    listed = bench.call("browser_page", action="passkeys")
    assert [(key["site"], key["user"]) for key in listed["passkeys"]] == [("localhost", "ann")]
    assert {"passkeys[].site", "passkeys[].user"} <= set(listed["untrusted"])


def test_an_iframe_from_another_site_uses_the_authenticator_of_its_tab(bench: Bench, sites: Sites) -> None:
    inner = f"http://inner.localhost:{sites.port}/login"
    frame = iframe(inner).replace("<iframe", "<iframe allow='publickey-credentials-create *'")
    sites.pages |= {"/login": PASSKEY_PAGE, "/around": frame}
    bench.open(sites.local("/around"))
    bench.call("browser_page", action="passkeys")

    register = runtime.Evaluate(expression="register()", user_gesture=True, await_promise=True)
    (evaluated,) = bench.ask(register, of="iframe")

    assert evaluated.exception_details is None, evaluated.exception_details
    (kept,) = bench.call("browser_page", action="passkeys")["passkeys"]
    assert kept["site"] == "inner.localhost"


def test_without_the_authenticator_the_page_has_none(bench: Bench) -> None:
    bench.show(PASSKEY_PAGE)
    bench.call("browser_page", action="passkeys")
    bench.call("browser_evaluate", expression="register()")

    assert bench.call("browser_page", action="passkeys_off")["success"]
    pending = "Promise.race([login(), new Promise(done => setTimeout(() => done('pending'), 300))])"
    assert bench.call("browser_evaluate", expression=pending)["value"] == "pending"
    assert bench.call("browser_page", action="passkeys")["passkeys"] == []
    held = bench.under(Policy(deny_methods=("WebAuthn.*",)))
    bench.call("browser_page", action="passkeys_off")
    assert held("browser_page", action="passkeys")["error_type"] == "Refused"


def test_an_account_is_chosen_by_its_address_or_none_is(bench: Bench, sites: Sites) -> None:
    give_accounts(sites)
    bench.open(sites.local("/"))
    bench.ask(page_domain.BringToFront())  # a tab in the background shows no chooser

    assert bench.call("browser_page", action="choose_account", text="x")["error_type"] == "UnknownBlocker"
    begin(bench, sites)
    wrong = bench.call("browser_page", action="choose_account", text="nobody@example.test")
    assert (wrong["error_type"], wrong["argument"]) == ("InvalidArgument", "text")
    chosen = bench.call("browser_page", action="choose_account", text="grace@example.test")

    assert (chosen["account"], "blockers" in chosen) == ("grace@example.test", False)
    bench.call("browser_wait", until="text:answered")
    assert bench.value("answer") == "from the provider"
    (asserted,) = [request for request in sites.requests if request.path == "/assertion"]
    assert b"account_id=2" in asserted.body


def test_a_chooser_is_dismissed(bench: Bench, sites: Sites) -> None:
    give_accounts(sites)
    bench.open(sites.local("/"))
    bench.ask(page_domain.BringToFront())
    begin(bench, sites)

    assert "blockers" not in bench.call("browser_page", action="dismiss_accounts")
    bench.call("browser_wait", until="text:answered")
    assert bench.value("answer") == "NetworkError"


def begin(bench: Bench, sites: Sites) -> None:
    started = f"login('{sites.local('/config')}').then(() => document.body.append('answered')); 0"
    bench.call("browser_evaluate", expression=started)
    for _ in range(50):
        if bench.call("browser_evaluate", expression="new Promise(done => setTimeout(done, 100))").get("blockers"):
            return
    raise AssertionError("no chooser came")


def give_accounts(sites: Sites) -> None:
    """A page that logs in with an identity provider on its own site, which knows two people."""
    provider = {
        "accounts_endpoint": "/accounts",
        "client_metadata_endpoint": "/client",
        "id_assertion_endpoint": "/assertion",
        "login_url": "/",
    }
    people = [
        {"id": str(number), "name": name, "email": f"{name.lower()}@example.test", "given_name": name}
        for number, name in ((1, "Ada"), (2, "Grace"))
    ]
    logged_in = {"Content-Type": "text/html", "Set-Login": "logged-in"}
    sites.pages |= {
        "/": Response(f"<body><script>{LOGIN}</script>", headers=logged_in),
        "/config": lambda request: as_json(request, provider),
        "/.well-known/web-identity": lambda request: as_json(request, {"provider_urls": [sites.local("/config")]}),
        "/accounts": lambda request: as_json(request, {"accounts": people}),
        "/client": lambda request: as_json(request, {}),
        "/assertion": lambda request: as_json(request, {"token": "from the provider"}),
    }
