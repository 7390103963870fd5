"""Two hundred secrets go into a browser by every way there is, and none comes out in what is written."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from supervisor import SupervisorRegistry
from supervisor.addons.live.sections import sections
from supervisor.addons.report import report_json, report_of
from supervisor.config import Config
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.tools import BaseToolbox, Toolbox
from tests.support.browsers import launched
from tests.support.servers.sites import Request, Response, Sites

FIELDS = {
    "password": "<input type=password aria-label=password>",
    "number": "<input autocomplete=cc-number aria-label=number>",
    "check": "<input autocomplete='billing cc-csc' aria-label=check>",
    "code": "<input autocomplete=one-time-code aria-label=code>",
    "named": "<input name=api_secret aria-label=named>",
    "dots": "<input style='-webkit-text-security: disc' aria-label=dots>",
    "note": "<input aria-label=note>",
}
PAGE = "<title>a form</title>" + "".join(FIELDS.values())

Way = Callable[["Agent", Iterator[str]], None]
WAYS: list[Way] = []
IN_VAULT = "pl4nted-vault-0001-4242"


def way(work: Way) -> Way:
    WAYS.append(work)
    return work


class Agent:
    """What a model does: calls of tools."""

    def __init__(self, box: BaseToolbox, address: str) -> None:
        self.box = box
        self.address = address

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.box.dispatch(name, arguments))
        assert result["success"], (name, result)
        return result

    def cdp(self, method: str, **params: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.call("browser_cdp", method=method, params=params)["result"]
        return result

    def evaluate(self, expression: str) -> None:
        self.call("browser_evaluate", expression=expression)


@way
def forms(agent: Agent, secrets: Iterator[str]) -> None:
    names = [name for name in FIELDS if name != "note"]
    values = {name: next(secrets) for name in names}
    fields = [{"ref": f'textbox "{name}"', "value": value} for name, value in values.items()]
    agent.call("browser_fill_form", fields=fields)
    # The page says it again: in its text, its address, its log, and to its server.
    said = json.dumps(values["password"])
    agent.evaluate(f"document.title = {said}; history.replaceState(0, '', '?q=' + encodeURIComponent({said}))")
    agent.evaluate(f"console.log('it was ' + {said})")
    agent.evaluate(f"fetch('/echo', {{method: 'POST', body: {said}}}).then(answer => answer.text())")
    agent.call("browser_snapshot")


@way
def typing(agent: Agent, secrets: Iterator[str]) -> None:
    agent.call("browser_type", ref='textbox "password"', text=next(secrets))
    agent.call("browser_type", ref='textbox "password"', text=next(secrets), keystrokes=True)
    agent.call("browser_type", ref='textbox "dots"', text=next(secrets))
    agent.call("browser_click", ref='textbox "password"')
    agent.call("browser_type", text=next(secrets))
    agent.call("browser_type", ref='textbox "password"', text=next(secrets), paste=True)
    agent.call("browser_type", text=next(secrets), paste=True)


@way
def prompts(agent: Agent, secrets: Iterator[str]) -> None:
    agent.box.dispatch("browser_evaluate", {"expression": "void prompt('who?')"})
    agent.call("browser_dialog", action="accept", prompt_text=next(secrets))


@way
def addresses(agent: Agent, secrets: Iterator[str]) -> None:
    for form in ("?user=ada&password={}", "?api_key={}&x=1", "#access_token={}", "?x=1&session_token={}"):
        agent.call("browser_navigate", url=agent.address + form.format(next(secrets)))
    agent.call("browser_navigate", url=agent.address.replace("//", f"//ada:{next(secrets)}@"))
    agent.call("browser_navigate", url=agent.address)


@way
def commands(agent: Agent, secrets: Iterator[str]) -> None:
    agent.call("browser_click", ref='textbox "note"')
    agent.cdp("Input.insertText", text=next(secrets))
    agent.cdp("Network.setCookie", name="sid", value=next(secrets), url=agent.address)
    cookies = [{"name": f"c{number}", "value": next(secrets), "url": agent.address} for number in range(3)]
    agent.cdp("Network.setCookies", cookies=cookies)
    agent.cdp("Network.getCookies")
    agent.evaluate("document.cookie")
    names = ("Authorization", "X-Api-Key", "X-Of-Ours", "Cookie")
    agent.cdp("Network.setExtraHTTPHeaders", headers={name: next(secrets) for name in names})
    agent.evaluate("fetch('/echo').then(answer => answer.text()).then(text => text.length)")
    agent.cdp("Network.setExtraHTTPHeaders", headers={})
    root = agent.cdp("DOM.getDocument", depth=-1)["root"]["nodeId"]
    node = agent.cdp("DOM.querySelector", nodeId=root, selector="input")["nodeId"]
    agent.cdp("DOM.setAttributeValue", nodeId=node, name="value", value=next(secrets))
    agent.cdp("DOM.getDocument", depth=-1)
    this = agent.cdp("Runtime.evaluate", expression="window")["result"]["objectId"]
    function = "function(text) { window.kept = text }"
    agent.cdp(
        "Runtime.callFunctionOn", objectId=this, functionDeclaration=function, arguments=[{"value": next(secrets)}]
    )
    storage = {"securityOrigin": agent.address.rstrip("/"), "isLocalStorage": True}
    agent.cdp("DOMStorage.enable")
    agent.cdp("DOMStorage.setDOMStorageItem", storageId=storage, key="k", value=next(secrets))
    agent.cdp("DOMStorage.getDOMStorageItems", storageId=storage)


@way
def requests(agent: Agent, secrets: Iterator[str]) -> None:
    header = f"headers: {{Authorization: 'Bearer 1-{next(secrets)}'}}"
    agent.evaluate(f"fetch('/echo', {{{header}}}).then(answer => answer.status)")
    for body in ("password={}&user=ada", '{{"password": "{}"}}', "token={}"):
        text = json.dumps(body.format(next(secrets)))
        agent.evaluate(f"fetch('/echo', {{method: 'POST', body: {text}}}).then(answer => answer.status)")
    agent.evaluate(f"fetch('/set?secret={next(secrets)}').then(answer => answer.status)")
    agent.evaluate(f"console.log('Authorization: Bearer 7-{next(secrets)}')")
    basic = base64.b64encode(f"ada:{next(secrets)}".encode()).decode()
    agent.evaluate(f"console.log('Authorization: Basic {basic}')")


@way
def stored(agent: Agent, secrets: Iterator[str]) -> None:
    agent.call("browser_cookies", action="set", cookie=f"sid={next(secrets)}; HttpOnly")
    agent.call("browser_cookies", action="get", name="sid")
    for area in ("local", "session"):
        agent.call("browser_storage", area=area, action="set", key="k", value=next(secrets))
        agent.call("browser_storage", area=area, action="get", key="k")
    for action in ("save", "load"):
        agent.call("browser_state", action=action, name="planted.json")


def results_of_login(agent: Agent) -> str:
    """All that a model gets while it logs in and looks for the password."""
    LoginFiles().save("shop", Login(origin=agent.address.rstrip("/"), password=IN_VAULT))
    agent.call("browser_recording", action="start")
    agent.call("browser_navigate", url=agent.address)
    value = "document.querySelector('[type=password]').value"
    results = [
        agent.call("browser_login", name="shop"),
        agent.call("browser_snapshot"),
        agent.call("browser_evaluate", expression=f"console.log({value}); document.title = {value}"),
        agent.call("browser_console"),
        agent.call("browser_evaluate", expression=f"[{{['is ' + {value}]: {value}}}]"),
        agent.call("browser_cdp", method="Runtime.evaluate", params={"expression": value}),
        agent.call("browser_recording", action="stop", show="pytest"),
    ]
    assert results[0]["filled"] == ["password"]
    assert "[redacted]" in results[-2]["result"]["result"]["value"]
    return json.dumps(results)


def secrets_of(kinds: str = "abcdefgh") -> Iterator[str]:
    """Texts that need no quotes, and that no page has of itself."""
    number = 0
    while True:
        number += 1
        yield f"pl4nted-{kinds[number % len(kinds)]}{number:03}-{(number * 7919) % 9973:04}"


def is_in(text: str, secret: str) -> bool:
    return secret in text or base64.b64encode(f"ada:{secret}".encode()).decode() in text


def answer(request: Request) -> Response:
    secret = request.query.rpartition("=")[2]
    return Response(request.body.decode() + request.authorization, headers={"Set-Cookie": f"set={secret}"})


@pytest.mark.parametrize("keeps_secrets", [False, True], ids=["left_out", "kept"])
def test_none_of_two_hundred_planted_secrets_is_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, keeps_secrets: bool
) -> None:
    for kind in ("STATE", "LOGIN", "FILES"):
        monkeypatch.setenv(f"CDP_{kind}_FOLDER", str(tmp_path / kind))
    monkeypatch.setenv("CDP_STATE_KEY", Fernet.generate_key().decode())
    flight, planted = tmp_path / "flight.jsonl", list[str]()
    outputs: dict[str, str] = {}
    registry = SupervisorRegistry()

    def noted() -> Iterator[str]:
        for secret in secrets_of():
            planted.append(secret)
            yield secret

    caplog.set_level(logging.DEBUG)
    with Sites({"/": PAGE, "/echo": answer, "/set": answer}) as sites, launched() as browser:
        config = Config(
            cdp_url=browser.ws_url,
            record_to=str(flight),
            record_secrets=keeps_secrets,
            watch_requests=True,
            call_timeout_s=20,
        )
        tools = ["browser", "browser-cdp", "browser-storage", "browser-recording"]
        with Toolbox(config, registry=registry, toolsets=tools) as box:
            agent, source = Agent(box, sites.local("/")), noted()
            agent.call("browser_navigate", url=agent.address)
            while len(planted) < (20 if keeps_secrets else 200):
                for work in WAYS:
                    work(agent, source)
            assert IN_VAULT not in results_of_login(agent)
            running = registry.get("default")
            assert running is not None
            outputs["live view"] = json.dumps(sections(running.aio, box.running, {}))
    outputs["flight"] = flight.read_text()
    outputs["report"] = report_json(report_of(flight))
    outputs["log"] = caplog.text

    outputs["code"] = "".join(path.read_text() for path in (tmp_path / "FILES").iterdir())
    kept = ["flight", "report", "live view"] if keeps_secrets else []  # there the page's own console shows it
    assert [name for name, text in outputs.items() if IN_VAULT in text and name not in kept] == []
    found = {name: [secret for secret in planted if is_in(text, secret)] for name, text in outputs.items()}
    if keeps_secrets:
        assert len(found["flight"]) == len(planted)
        assert "keep it to yourself" in outputs["flight"].splitlines()[0]
    else:
        assert found == {name: [] for name in outputs}
