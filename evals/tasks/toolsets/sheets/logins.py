"""Tasks with logins: by the browser's own question, by a form, and by an account of another service."""

from __future__ import annotations

import json
from base64 import b64encode
from urllib.parse import parse_qs

from evals.tasks.desk import Desk
from evals.tasks.hands import FalseClaim
from evals.tasks.task import File
from evals.tasks.toolsets.hands import PASSWORD, USER, ToolsetHands
from evals.tasks.toolsets.task import toolset_task
from tests.support.servers.sites import Request, Response

BASIC = "Basic " + b64encode(f"{USER}:{PASSWORD}".encode()).decode()


def guarded(page: str) -> File:
    """Return a page that its server shows only with HTTP credentials."""

    def serve(request: Request, desk: Desk) -> str | Response:
        asking = {"WWW-Authenticate": 'Basic realm="Staff"'}
        return page if request.authorization == BASIC else Response("No", status=401, headers=asking)

    return serve


def credentials_at(desk: Desk, path: str) -> list[str]:
    """Return the credentials that the server got with the requests for a path."""
    return [request.authorization for request in desk.requests if request.path.endswith(f"/{path}")]


def origin_of(desk: Desk) -> str:
    """Return the origin of the task's pages."""
    return desk.url.removesuffix(desk.path)


@toolset_task(
    "<p>Outside</p>", lambda desk: desk.told == ["inside"], files={"staff": guarded("<script>tell('inside')</script>")}
)
def open_a_page_behind_http_credentials(hands: ToolsetHands, desk: Desk) -> None:
    """Open the page for the staff, for which the server asks for a user name and a password."""
    hands.keep_login(origin_of(desk), desk.folder)
    hands.send_login(origin_of(desk))
    hands.navigate(desk.at("staff"))


@toolset_task(
    "<p>Outside</p>",
    lambda desk: desk.told == ["inside"] and credentials_at(desk, "pixel") == [""],
    files={
        "staff": guarded('<img src="$other/pixel" onerror="tell(`inside`)">'),
        "pixel": Response("", headers={"Content-Type": "text/plain"}),
    },
)
def send_http_credentials_to_one_site(hands: ToolsetHands, desk: Desk) -> None:
    """Open the page for the staff, which has a picture of another site, and send that site no credentials."""
    hands.keep_login(origin_of(desk), desk.folder)
    hands.send_login(origin_of(desk))
    hands.navigate(desk.at("staff"))


def welcome(request: Request, desk: Desk) -> str:
    sent = {name: value for name, (value,) in parse_qs(request.body.decode()).items()}
    return f"<p>Welcome {sent.get('user')}. Your password is {sent.get('password')}.</p>"


def posted(desk: Desk) -> list[bytes]:
    """Return the bodies that were posted."""
    return [request.body for request in desk.requests if request.method == "POST"]


@toolset_task(
    """<form method="post" action="enter"><label>User <input name="user"></label>
    <label>Password <input name="password" type="password"></label><button>Sign in</button></form>""",
    lambda desk: posted(desk) == [f"user={USER}&password={PASSWORD}".encode()],
    files={"enter": welcome},
)
def sign_in_without_seeing_the_password(hands: ToolsetHands, desk: Desk) -> None:
    """Sign in with the saved login. No result shows its password, not even when the page does."""
    hands.keep_login(origin_of(desk), desk.folder)
    hands.fill_login()
    hands.click(hands.ref("Sign in", "button"))
    hands.wait_text("Welcome")
    hands.snapshot()
    if PASSWORD in hands.heard.text:
        raise FalseClaim("a result shows the password")


PROVIDER = {
    "accounts_endpoint": "accounts",
    "client_metadata_endpoint": "client",
    "id_assertion_endpoint": "assertion",
    "login_url": "login",
}
ACCOUNTS = [
    {"id": "1", "name": "Ann Miller", "email": "ann@shop.test"},
    {"id": "2", "name": "Bea Miller", "email": "bea@shop.test"},
]
FEDERATED = """<button onclick="enter()">Continue with Shop</button><script>
navigator.login.setStatus('logged-in');
const enter = () => navigator.credentials.get({identity: {providers: [
  {configURL: '$own/config', clientId: 'page', nonce: 'n', params: {nonce: 'n'}}]}}).then(
  got => tell(got.token), () => tell('nobody'));
</script>"""


def as_json(request: Request, content: object) -> Response:
    headers = {"Content-Type": "application/json"}
    if origin := request.headers.get("origin"):
        headers |= {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}
    return Response(json.dumps(content), headers=headers)


def token(request: Request, desk: Desk) -> Response:
    (account,) = parse_qs(request.body.decode())["account_id"]
    return as_json(request, {"token": f"account {account}"})


SERVICE: dict[str, File] = {
    "/.well-known/web-identity": lambda request, desk: as_json(request, {"provider_urls": [desk.at("config")]}),
    "config": lambda request, desk: as_json(request, PROVIDER),
    "accounts": lambda request, desk: as_json(request, {"accounts": ACCOUNTS}),
    "client": lambda request, desk: as_json(request, {}),
    "assertion": token,
}


@toolset_task(FEDERATED, lambda desk: desk.told == ["account 2"], files=SERVICE)
def sign_in_with_one_of_two_accounts(hands: ToolsetHands, desk: Desk) -> None:
    """Continue with the account bea@shop.test, which the browser's chooser of accounts shows (FedCM)."""
    hands.choose_account(hands.ref("Continue with Shop", "button"), "bea@shop.test")


@toolset_task(FEDERATED, lambda desk: desk.told == ["nobody"], files=SERVICE)
def dismiss_the_chooser_of_accounts(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page open the browser's chooser of accounts, and dismiss it."""
    hands.choose_account(hands.ref("Continue with Shop", "button"), "")
