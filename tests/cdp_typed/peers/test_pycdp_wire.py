"""The JSON of a command is, byte for byte, that of a client of PyCDP."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cdp_typed._base import Command
from cdp_typed.mock import sample_params
from cdp_typed.protocol import registry
from cdp_typed.wire.envelopes import encode_request
from tests.support import pycdp
from tests.support.every import every

# PyCDP warns of commands that the protocol has deprecated since; they are compared all the same.
pytestmark = pytest.mark.filterwarnings("ignore:Call to deprecated function:DeprecationWarning")

COMMANDS = tuple(pycdp.commands())

OTHER_SAMPLES: dict[str, dict[str, Any]] = {
    # PyCDP's enum is older than the first value of ours.
    "Browser.grantPermissions": {"permissions": ["geolocation"], "origin": "https://example.com"},
}

OTHER_ORDER = {
    # PyCDP writes the required fields of an `IndexedDB.KeyRange` first, we write them in the order of the schema.
    "IndexedDB.deleteObjectStoreEntries",
    "IndexedDB.requestData",
    # The parameters changed places since the schema of PyCDP.
    "Browser.grantPermissions",
}

UNSAYABLE_IN_PYCDP = {
    # Its `Credential` demands a field that the protocol has dropped.
    "WebAuthn.addCredential": "rpIdHash",
}


def _samples(method: str) -> list[dict[str, Any]]:
    """Parameters for one command: all of them, and as few as both sides accept."""
    full = sample_params(method, full=True) | OTHER_SAMPLES.get(method, {})
    needed = {*sample_params(method), *pycdp.required(method)}
    return [full, {name: value for name, value in full.items() if name in needed}]


def _both(method: str, params: dict[str, Any]) -> tuple[bytes, bytes]:
    """The bytes of PyCDP and ours, for those of the parameters that PyCDP knows."""
    theirs = pycdp.call(method, params)
    request = {"id": 1, "method": theirs["method"], "params": theirs.get("params", {}), "sessionId": "S"}
    params_as_json = json.dumps(request["params"])
    command: Command[Any] = msgspec.json.decode(params_as_json, type=registry.command_class(method))
    return json.dumps(request, separators=(",", ":")).encode(), encode_request(1, command, "S")


@every("method", [method for method in COMMANDS if method not in UNSAYABLE_IN_PYCDP])
def test_our_bytes_are_those_of_pycdp(method: str) -> None:
    for params in _samples(method):
        theirs, ours = _both(method, params)

        if method in OTHER_ORDER and theirs != ours:
            assert json.loads(ours) == json.loads(theirs)
        else:
            assert ours == theirs


@pytest.mark.parametrize(("method", "field"), UNSAYABLE_IN_PYCDP.items())
def test_the_exceptions_still_are_some(method: str, field: str) -> None:
    with pytest.raises(pycdp.Unsayable, match=field):
        pycdp.call(method, sample_params(method, full=True))


@pytest.mark.parametrize("method", sorted(OTHER_ORDER))
def test_the_other_orders_still_are_other_orders(method: str) -> None:
    theirs, ours = _both(method, _samples(method)[0])

    assert ours != theirs


def test_both_know_most_commands() -> None:
    assert len(COMMANDS) == 436
