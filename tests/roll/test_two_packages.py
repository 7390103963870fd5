"""Bindings made of last year's package and today's play the same traffic: each message reaches its user on both."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from cdp_typed import Connection, SchemaDrift
from cdp_typed.mock import sample_params
from cdp_typed.schema import Schema, load_schema
from cdp_typed.wire.decoding import decode
from codegen.emit.package import emit
from codegen.load import load
from codegen.plan import make_plan
from codegen.write import write
from tests.data.make_old_traffic import read, traffic
from tests.roll.package import stage
from tests.support.wheels import ROOT
from tests.support.wires.memory_wire import MemoryWire

REAL = ROOT / "tests" / "data" / "alert.jsonl"


class Bindings(NamedTuple):
    """A generated package, and the schema that it was made of."""

    registry: Any
    schema: Schema

    def event(self, method: str) -> Any:
        return self.registry.event_class(method) if method in self.registry.EVENTS else None

    def command(self, method: str) -> Any:
        return self.registry.command_class(method) if method in self.registry.COMMANDS else None


@pytest.fixture(scope="module")
def last_year() -> Path:
    """The unpacked package of the year before."""
    root = Path(os.environ.get("CDP_TYPED_LIBRARIES", ".venv/libraries")) / "node_modules" / "devtools-protocol"
    if not root.is_dir():
        pytest.fail(f"{root} is not there; `make packages` installs it")
    return root


@pytest.fixture(scope="module")
def bindings(last_year: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Bindings]]:
    """Both packages: that of last year is generated as a private one."""
    folder = tmp_path_factory.mktemp("last_year")
    stage(last_year, folder / "schema")
    origin, protocol = load(folder / "schema")
    write(folder / "protocol_of_last_year", emit(make_plan(protocol), origin, "protocol_of_last_year"))
    sys.path.insert(0, str(folder))
    invalidate_caches()
    today = import_module("cdp_typed.protocol.registry")
    yield {
        "last year": Bindings(import_module("protocol_of_last_year.registry"), read(last_year)),
        "today": Bindings(today, load_schema()),
    }
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "protocol_of_last_year"]:
        del sys.modules[name]


Told = tuple[str, dict[str, Any]]


def messages(bindings: dict[str, Bindings], source: str) -> tuple[list[Told], list[Told]]:
    """Events and results of one of the two browsers, each as small as it may be and with all that it may have."""
    told = list(traffic(bindings[source].schema))
    events = [(message["event"], message["params"]) for message in told if "event" in message]
    return events, [(message["command"], message["result"]) for message in told if "command" in message]


@pytest.mark.parametrize("browser", ["last year", "today"])
@pytest.mark.parametrize("made_of", ["last year", "today"])
@pytest.mark.usefixtures("no_leaks")
async def test_each_message_of_either_browser_reaches_the_user_of_either_bindings(
    bindings: dict[str, Bindings], made_of: str, browser: str
) -> None:
    """Only a browser of another year differs, and never so that a message or the connection is lost."""
    ours = bindings[made_of]
    events, results = messages(bindings, browser)
    results = [(method, result) for method, result in results if ours.command(method) is not None]
    heard: list[Any] = []
    wire = MemoryWire()
    async with Connection(wire) as connection:
        for method in {method for method, _ in events}:
            if (cls := ours.event(method)) is not None:
                connection.listen(lambda _session, event: heard.append(event), cls)
        for method, params in events:
            wire.event(method, params)
        await wire.drained()
        for method, result in results:
            params = sample_params(method, schema=ours.schema)
            reply = connection.send_nowait(msgspec.convert(params, ours.command(method)))
            wire.reply(result)
            assert type(await reply) is ours.command(method).RESULT
        assert not connection.closed
        assert connection.counters.handler_errors == 0
        drift = connection.counters.drift

    known = [ours.event(method) for method, _ in events if ours.event(method) is not None]
    assert [type(event) for event in heard] == known
    assert len(known) > 180
    assert len(results) > 200
    assert (drift == 0) == (made_of == browser), drift


def test_what_a_real_browser_said_is_the_same_on_both(bindings: dict[str, Bindings]) -> None:
    """A recording of Chromium 156: both bindings read it, without any difference, to the same values."""
    lines = [json.loads(line) for line in REAL.read_text(encoding="utf-8").splitlines()]
    said = [line for line in lines if line["dir"] == "recv" and "method" in line]
    assert len(said) > 3
    values: dict[str, list[Any]] = {}
    for name, ours in bindings.items():
        drift: list[SchemaDrift] = []
        values[name] = [
            msgspec.to_builtins(
                decode(
                    cls, json.dumps(message.get("params", {})).encode(), method=message["method"], drift=drift.append
                )
            )
            for message in said
            if (cls := ours.event(message["method"])) is not None
        ]
        assert drift == []
        assert values[name]
    assert values["last year"] == values["today"]
