"""A hundred and twenty keys of forty services are planted in a browser, and none is in what is written about it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from cryptography.fernet import Fernet

from supervisor import SupervisorRegistry
from supervisor.addons.live.sections import sections
from supervisor.addons.report import report_json, report_of
from supervisor.config import Config
from supervisor.tools import Toolbox
from tests.cdp_typed.redaction.test_shapes import keys_of_services
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell
from tests.supervisor.tools.conftest import running_in
from tests.support.browsers import launched
from tests.support.servers.sites import Page, Request, Response, Sites

KINDS = [name for name, key in keys_of_services().items() if len(key) < 200 and not set(":/+=") & set(key)][:40]

PLACES: dict[str, str] = {
    "text": "<p>{}</p>",
    "attribute": "<p data-note='{}'>a</p>",
    "name": "<button aria-label='{}'>a</button>",
    "value": "<input aria-label=filled value='{}'>",
    "comment": "<!-- {} -->",
    "link": "<a href='/x?note={}'>a</a>",
    "picture": "<img alt='{}' src='/p.png?note={}'>",
    "frame's address": "<iframe src='/empty?note={}'></iframe>",
    "frame's document": "<iframe srcdoc='<p>{}</p>'></iframe>",
    "frame's name": "<iframe name='{}'></iframe>",
    "style": "<i> </i><style>i::after {{ content: '{}' }}</style>",
    "script": "<script>const held = '{}'</script>",
    "title": "<script>document.title = '{}'</script>",
    "local storage": "<script>localStorage.note = '{}'</script>",
    "session storage": "<script>sessionStorage['{}'] = 1</script>",
    "database": "<script>indexedDB.open('{}')</script>",
    "cache": "<script>void caches.open('{}')</script>",
    "cookie": "<script>document.cookie = 'note={}'</script>",
    "name of a cookie": "<script>document.cookie = '{}=1'</script>",
    "console": "<script>console.log('it is {}')</script>",
    "console, object": "<script>console.info({{note: ['{}']}}, new Map([['{}', 1]]))</script>",
    "console, error": "<script>console.error(new Error('{}'))</script>",
    "console, template": "<script>console.log('%c %s', 'color: red', '{}')</script>",
    "exception": "<script>setTimeout(() => {{ throw new Error('{}') }})</script>",
    "rejection": "<script>Promise.reject('{}')</script>",
    "request's header": "<script>fetch('/echo', {{headers: {{'X-Note': '{}'}}}})</script>",
    "request's address": "<script>fetch('/echo/{}')</script>",
    "request's body": "<script>fetch('/echo', {{method: 'POST', body: JSON.stringify({{note: '{}'}})}})</script>",
    "response's header": "<script>fetch('/header?{}')</script>",
    "response's body": "<script>fetch('/said?{}').then(answer => answer.text())</script>",
    "failed request": "<script>fetch('http://nowhere.test/{}').catch(() => 0)</script>",
    "web socket": "<script>new WebSocket('ws://' + location.host + '/{}')</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([`console.log('{}')`])))</script>",
    "beacon": "<script>navigator.sendBeacon('/echo', '{}')</script>",
    "address": "<script>history.replaceState(0, '', '/at/{}')</script>",
    "fragment": "<script>location.hash = '{}'</script>",
    "window's name": "<script>window.name = '{}'</script>",
    "file": "<script>document.addEventListener('click', () => {{ const a = Object.assign(document.createElement('a'),"
    " {{href: 'data:,x', download: '{}.txt'}}); a.click() }}, {{once: true}})</script>",
}
"""Where a page can have one."""


def planted() -> dict[str, tuple[str, str]]:
    """The kind and the place of each key."""
    places = [*PLACES, "typed", "pasted", "pasted into the focus", "script of a caller", "dialog", "answer to a dialog"]
    keys = [(kind, keys_of_services(seed)[kind]) for seed in (1, 2, 4) for kind in KINDS]
    return {key: (kind, places[number % len(places)]) for number, (kind, key) in enumerate(keys)}


def echo(request: Request) -> Response:
    note = request.query.rpartition("=")[2]
    return Response(f"it is {note}", headers={"X-Note": note, "Content-Type": "text/plain"})


def page_with(keys: Mapping[str, tuple[str, str]]) -> str:
    made = [PLACES[place].format(key, key) for key, (_, place) in keys.items() if place in PLACES]
    return f"<!doctype html><link rel=icon href=data:,><input aria-label=note>{''.join(made)}"


def act(call: Callable[..., dict[str, Any]], keys: Mapping[str, tuple[str, str]]) -> None:
    """What an agent does there, with all tools that say something about a page."""

    def there(wanted: str) -> list[str]:
        return [key for key, (_, place) in keys.items() if place == wanted]

    call("browser_snapshot")
    call("browser_console")
    for key in there("typed"):
        call("browser_type", ref='textbox "note"', text=key)
    for key in there("pasted"):
        call("browser_type", ref='textbox "note"', text=key, paste=True)
    for key in there("pasted into the focus"):
        call("browser_type", ref='textbox "note"', text="")
        call("browser_type", text=key, paste=True)
    for key in there("script of a caller"):
        call("browser_evaluate", expression=f"['{key}', innerWidth]")
    for key in there("dialog"):
        call("browser_evaluate", "BlockedByDialog", expression=f"void alert('{key}')")
        call("browser_dialog", action="accept")
    for key in there("answer to a dialog"):
        call("browser_evaluate", "BlockedByDialog", expression="void prompt('who?')")
        call("browser_dialog", action="accept", prompt_text=key)
    call("browser_requests")
    call("browser_requests", save="all.har")
    call("browser_storage", area="local", action="get", key="note")
    call("browser_cookies", action="get", name="note")
    call("browser_state", action="save", name="planted")


def test_none_of_a_hundred_and_twenty_keys_is_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("STATE", "FILES", "DOWNLOAD"):
        monkeypatch.setenv(f"CDP_{kind}_FOLDER", str(tmp_path / kind))
    monkeypatch.setenv("CDP_STATE_KEY", Fernet.generate_key().decode())
    caplog.set_level(logging.DEBUG)
    keys, registry = planted(), SupervisorRegistry()
    flight = tmp_path / "flight.jsonl"
    outputs: dict[str, str] = {}
    pages: dict[str, Page] = {"/": page_with(keys), "/empty": "<p>", "/header": echo, "/said": echo}
    with Sites({**pages, "/echo": echo}) as sites, launched() as browser:
        config = Config(cdp_url=browser.ws_url, record_to=str(flight), watch_requests=True, call_timeout_s=20)
        with Toolbox(config, registry=registry, toolsets="all") as box:

            def call(name: str, error: str | None = None, /, **arguments: Any) -> dict[str, Any]:
                result: dict[str, Any] = json.loads(box.dispatch(name, arguments))
                assert result["success"] or result.get("error_type") == error, (name, result.get("error"))
                return result

            call("browser_recording", action="start")
            call("browser_navigate", url=sites.local("/"))
            act(call, keys)
            outputs["recorded code"] = json.dumps(call("browser_recording", action="stop", show="pytest"))
            running = running_in(registry)
            outputs["live view"] = json.dumps(sections(running.aio, box.running, {}))
        (tmp_path / "agent").mkdir()
        shell = AgentShell(tmp_path / "agent")
        try:
            for words in (["open", sites.local("/")], ["look"], ["console"], ["requests"], ["status"], ["close"]):
                shell(*words)
        finally:
            shell("close", "--all")
    outputs["flight"], outputs["log"] = flight.read_text(), caplog.text
    outputs["report"] = report_json(report_of(flight))
    for path in tmp_path.rglob("*"):
        if path.is_file() and "profile" not in str(path).lower():
            outputs.setdefault(str(path.relative_to(tmp_path)), path.read_bytes().decode(errors="replace"))
            outputs["names of files"] = f"{outputs.get('names of files', '')}\n{path.name}"

    found = {
        name: sorted({(kind, place) for key, (kind, place) in keys.items() if key in text or quote(key) in text})
        for name, text in outputs.items()
    }
    assert len(keys) == 120
    assert {"all.har", "planted.state"} <= set(outputs["names of files"].split())
    assert {name: kept for name, kept in found.items() if kept} == {}
