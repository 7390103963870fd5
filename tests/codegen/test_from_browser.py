"""Private packages: from a live browser, from a file of one's own, and used with the same client."""

from __future__ import annotations

import json
import re
import socket
import textwrap
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import Connection, connect
from cdp_typed.errors import MethodNotFound
from cdp_typed.launch import LaunchedBrowser
from codegen.__main__ import generate_private, main
from codegen.errors import SchemaError
from codegen.other_schemas import load_others
from codegen.write import check
from tests.codegen.conftest import BROWSER, Serve, answers, load_module
from tests.support.secrets import CANARY
from tests.support.wires.memory_wire import MemoryWire

CONNECTING = Path(__file__).parents[2] / "docs" / "connecting.md"
MADE_UP: dict[str, Any] = {
    "domain": "Kitchen",
    "description": "Cooks.",
    "experimental": True,
    "types": [
        {"id": "Dish", "type": "object", "properties": [{"name": "name", "type": "string"}]},
        {"id": "Heat", "type": "string", "enum": ["low", "high"]},
    ],
    "commands": [
        {
            "name": "cook",
            "parameters": [{"name": "heatLevel", "$ref": "Heat"}, {"name": "salt", "type": "number", "optional": True}],
            "returns": [{"name": "dish", "$ref": "Dish"}],
        }
    ],
    "events": [{"name": "smokeSeen", "parameters": [{"name": "heat", "$ref": "Heat"}]}],
}


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """The made-up domain as a file."""
    return saved(tmp_path / "kitchen.json", MADE_UP)


def saved(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--from-browser", "127.0.0.1:1"), "--from-browser and --domain-file need --out DIR"),
        (("--domain-file", "x.json"), "--from-browser and --domain-file need --out DIR"),
        (("--domain-file", "x.json", "--out", "OUT/not-a-name"), "'not-a-name' is no name to import"),
        (("--domain-file", "x.json", "--out", "OUT/p", "--package", "a.class"), "'a.class' is no name to import"),
    ],
)
def test_wrong_usage_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([word.replace("OUT", str(tmp_path)) for word in words])

    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("<html>", "JSON is malformed"),
        ("[]", "Expected `object`, got `array`"),
        ("{}", "Object missing required field `domains`"),
        (json.dumps({**MADE_UP, "since": 1}), "Object contains unknown field `since`"),
        (json.dumps({"domains": [{**MADE_UP, "since": 1}]}), "unknown field `since` - at `$.domains[0]`"),
        (json.dumps({"domain": "A", "types": [{"id": "T", "type": "colour"}]}), "Invalid enum value 'colour'"),
    ],
)
def test_a_file_that_is_no_schema_is_named_with_the_place(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content)

    with pytest.raises(SchemaError) as caught:
        load_others(None, [path])

    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)


def test_a_file_that_is_not_utf8_or_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"

    with pytest.raises(SchemaError, match=r"mine\.json: No such file or directory"):
        load_others(None, [path])
    path.write_bytes(b'{"domain": "\xff"}')
    with pytest.raises(SchemaError, match=r"mine\.json: 'utf-8' codec"):
        load_others(None, [path])


def test_a_domain_that_is_defined_twice_is_named_with_both_places(tmp_path: Path, kitchen: Path, serve: Serve) -> None:
    other = saved(tmp_path / "other.json", {"domains": [MADE_UP]})
    address = serve(answers({"domains": [MADE_UP]}))

    with pytest.raises(SchemaError) as caught:
        load_others(None, [kitchen, other])
    assert str(caught.value) == f"{other}: the domain Kitchen is defined in {kitchen} already"
    with pytest.raises(SchemaError, match=f"the domain Kitchen is defined in {address}/json/protocol already"):
        load_others(address, [kitchen])


def test_a_reference_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.json",
        {"domain": "A", "events": [{"name": "e", "parameters": [{"name": "p", "$ref": "Page.FrameId"}]}]},
    )

    with pytest.raises(SchemaError, match=r"domain A refers to Page\.FrameId, which is not defined"):
        generate_private(None, [path], "p")


def test_an_array_of_arrays_is_refused_by_name(tmp_path: Path) -> None:
    inner = {"name": "p", "type": "array", "items": {"type": "array"}}
    path = saved(tmp_path / "a.json", {"domain": "A", "events": [{"name": "e", "parameters": [inner]}]})

    with pytest.raises(SchemaError, match="E: an array of arrays is not understood"):
        generate_private(None, [path], "p")


@pytest.mark.parametrize(
    "address", ["ftp://x", "", "http://", "http://h:0", "http://h:port", f"//{CANARY}@"], ids=["ftp", *"ehzpu"]
)
def test_what_is_no_address_is_refused_unquoted(address: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_others(address, [])

    assert str(caught.value) == "--from-browser: not an address of a browser; use http://host:port or host:port"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "not a browser (HTTP 404 at /json/version)"),
        (answers({}, version={}), "not a browser (its /json/version names none)"),
        (answers({}, version={"Browser": "a\nimport os/1"}), r"not a browser (it calls itself 'a\nimport os/1')"),
        ({"/json/version": (200, b"\xff")}, "not a browser (its /json/version names none)"),
        (
            {"/json/version": (200, json.dumps(BROWSER).encode()), "/json/protocol": (500, b"")},
            "not a browser (HTTP 500 at /json/protocol)",
        ),
    ],
)
def test_what_is_no_browser_is_refused(serve: Serve, given: dict[str, tuple[int, bytes]], complaint: str) -> None:
    address = serve(given)

    with pytest.raises(SchemaError) as caught:
        load_others(f"{address}/?token={CANARY}", [])

    assert str(caught.value) == f"{address}: {complaint}"


def test_a_closed_port_and_other_protocols_are_refused_without_the_token() -> None:
    with pytest.raises(SchemaError) as closed:
        load_others(f"ws://user:{CANARY}@[::1]:1/devtools/{CANARY}?token={CANARY}", [])
    assert str(closed.value).startswith("ws://[::1]:1: unreachable (")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def answer() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.recv(1000)
                peer.sendall(b"220 mail\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(SchemaError, match="something listens there, but it does not speak HTTP"):
            load_others(f"127.0.0.1:{port}", [])
        thread.join()


def test_a_bad_schema_exits_with_2_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{")

    assert main(["--domain-file", str(path), "--out", str(tmp_path / "p")]) == 2
    assert capsys.readouterr().err.startswith(f"codegen: {path}: ")
    assert not (tmp_path / "p").exists()


def test_browser_and_files_are_one_schema_with_its_origin(serve: Serve, kitchen: Path) -> None:
    address = serve(answers({"version": {"major": "1", "minor": "3"}, "domains": [{"domain": "A"}]}))

    origin, protocol = load_others(address, [kitchen])

    assert [domain.domain for domain in protocol.domains] == ["A", "Kitchen"]
    assert (origin.label, origin.revision) == ("Chrome 156.0.1", "a21ce95c24ce")
    assert list(origin.sha256) == ["json/protocol", str(kitchen)]


async def test_a_made_up_domain_works_with_the_client(
    importing: Path, kitchen: Path, no_leaks: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typed command out, a typed result and a typed event back, drift included."""
    assert main(["--domain-file", str(kitchen), "--out", str(importing / "my_domains")]) == 0
    kitchen_module = load_module("my_domains.kitchen")
    wire = MemoryWire()
    async with Connection(wire) as browser:
        async with browser.events(kitchen_module.SmokeSeen) as seen:
            cooking = browser.send_nowait(kitchen_module.Cook(heat_level="low"))
            wire.event("Kitchen.smokeSeen", {"heat": "infernal"})
            wire.reply({"dish": {"name": "soup"}})

            assert await anext(seen) == kitchen_module.SmokeSeen(heat="infernal")
            assert await cooking == kitchen_module.CookResult(dish=kitchen_module.Dish(name="soup"))
        assert [(difference.method, difference.path) for difference in browser.drift] == [("Kitchen.smokeSeen", "heat")]
    assert wire.sent[0] == {"id": 1, "method": "Kitchen.cook", "params": {"heatLevel": "low"}}
    registry = load_module("my_domains.registry")
    assert registry.command_class("Kitchen.cook") is kitchen_module.Cook
    with pytest.raises(registry.UnknownMethod, match=r"domain files given by you has no command 'Kitchen.eat'"):
        registry.command_class("Kitchen.eat")


async def test_the_example_of_the_docs_runs(importing: Path, kitchen: Path, no_leaks: None) -> None:
    example = re.findall(r"```python\n(.*?)```", CONNECTING.read_text("utf-8"), flags=re.DOTALL)[-1]
    assert main(["--domain-file", str(kitchen), "--out", str(importing / "my_domains")]) == 0
    async with Connection(Cook()) as connection:
        names: dict[str, Any] = {"url": Browser(connection), "connect": nullcontext}
        exec(f"async def run():\n{textwrap.indent(example, '    ')}    return dish\n", names)

        assert (await names["run"]()).name == "soup"


class Cook(MemoryWire):
    """A wire to a browser that answers every command with a soup."""

    def send(self, data: bytes) -> None:
        """Answer at once."""
        super().send(data)
        self.reply({"dish": {"name": "soup"}})


class Browser:
    """A browser whose new page is a connection that is there."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def new_page(self) -> nullcontext[Connection]:
        """Return the connection."""
        return nullcontext(self._connection)


def test_a_package_may_live_inside_another_one(importing: Path, kitchen: Path) -> None:
    """With a domain beside it that has events and nothing else."""
    saved(kitchen, {"domains": [MADE_UP, {"domain": "Bell", "events": [{"name": "rang"}]}]})
    (importing / "outer").mkdir()
    words = ["--domain-file", str(kitchen), "--out", str(importing / "outer" / "inner"), "--package", "outer.inner"]

    assert main(words) == 0
    assert main([*words, "--check"]) == 0
    kitchen_module = load_module("outer.inner.kitchen")
    assert kitchen_module.Cook.RESULT is kitchen_module.CookResult
    assert load_module("outer.inner.bell").Rang.METHOD == "Bell.rang"


async def test_a_package_from_chromium_drives_chromium(importing: Path, chromium: LaunchedBrowser) -> None:
    """Its own classes go through the client of the vendored bindings; a domain that it lacks is refused by it."""
    out = importing / "this_chromium"
    files = generate_private(chromium.ws_url, [], "this_chromium")
    assert main(["--from-browser", chromium.ws_url, "--out", str(out)]) == 0
    assert check(out, files) == []
    page = load_module("this_chromium.page")
    registry = load_module("this_chromium.registry")
    for method in registry.COMMANDS:
        registry.command_class(method)
    for method in registry.EVENTS:
        registry.event_class(method)

    async with connect(chromium.ws_url) as browser, browser.new_page() as tab:
        await tab.send(page.Enable())
        async with tab.expect(page.LoadEventFired, timeout=10) as loaded:
            result = await tab.send(page.Navigate(url="data:text/html,<title>Private</title>"))
        assert isinstance(result, page.NavigateResult)
        assert isinstance(loaded.value, page.LoadEventFired)
        assert browser.drift == ()


async def test_a_domain_that_the_browser_lacks_is_refused_by_it(
    importing: Path, kitchen: Path, chromium: LaunchedBrowser
) -> None:
    assert main(["--domain-file", str(kitchen), "--out", str(importing / "not_there")]) == 0
    kitchen_module = load_module("not_there.kitchen")

    async with connect(chromium.ws_url) as browser:
        with pytest.raises(MethodNotFound, match=r"'Kitchen\.cook' wasn't found"):
            await browser.send(kitchen_module.Cook(heat_level="high"))
