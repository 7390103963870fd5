"""The mock accepts no call and emits no event that violates the schema."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cdp_typed._base import Event
from cdp_typed.mock import MockBrowser, NonConforming, sample_event, sample_params
from cdp_typed.protocol.registry import event_class
from cdp_typed.schema import Property, load_schema
from tests.cdp_typed.mock.raw_client import Client
from tests.support.every import every

SCHEMA = load_schema()
NOT_ON_PAGES = {
    "SystemInfo.getInfo",
    "SystemInfo.getProcessInfo",
    "Target.attachToBrowserTarget",
    "Target.createBrowserContext",
    "Target.disposeBrowserContext",
    "Target.getBrowserContexts",
}
WRONG: dict[str, Any] = {
    "string": 5,
    "binary": 5,
    "integer": "five",
    "number": "five",
    "boolean": "yes",
    "array": "list",
    "object": "map",
}


def kind(field: Property) -> str:
    """Return the type of a field on the wire."""
    resolved = SCHEMA.types[field.ref].type if field.ref is not None else field.type
    return resolved or "any"


def wrongly_typed(fields: tuple[Property, ...]) -> list[tuple[str, Any]]:
    """Return each field that has a type, with a value of another type."""
    return [(field.name, WRONG[kind(field)]) for field in fields if kind(field) != "any"]


def required(fields: tuple[Property, ...]) -> list[str]:
    return [field.name for field in fields if not field.optional]


class Everything:
    """A client whose page has every domain enabled."""

    def __init__(self) -> None:
        self.browser = MockBrowser(samples=True)
        self.client = Client(self.browser)
        self.page = self.client.attach(self.browser.pages[0].id)
        self.client.enable(self.page, "DOM")  # CSS asks for it
        for method in SCHEMA.commands:
            if method.endswith(".enable"):
                at = None if method.startswith("BluetoothEmulation.") else self.page
                self.client.send(method, sample_params(method), at)

    def error(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the error of a call, on the kind of target that supports it."""
        on_browser = method in NOT_ON_PAGES or method.startswith("BluetoothEmulation.")
        return self.client.error(method, params, None if on_browser else self.page)


@pytest.fixture(scope="module")
def everything() -> Everything:
    return Everything()


@every("method", [name for name, command in SCHEMA.commands.items() if required(command.parameters)])
def test_a_call_without_a_required_parameter_is_refused(everything: Everything, method: str) -> None:
    for name in required(SCHEMA.commands[method].parameters):
        params = sample_params(method)
        del params[name]

        error = everything.error(method, params)

        assert (error["code"], error["message"]) == (-32602, "Invalid parameters")
        assert error["data"] == f"Failed to deserialize params.{name} - BINDINGS: mandatory field missing"


@every("method", [name for name, command in SCHEMA.commands.items() if wrongly_typed(command.parameters)])
def test_a_call_with_a_value_of_a_wrong_type_is_refused(everything: Everything, method: str) -> None:
    for name, wrong in wrongly_typed(SCHEMA.commands[method].parameters):
        error = everything.error(method, {**sample_params(method), name: wrong})

        assert (error["code"], error["message"]) == (-32602, "Invalid parameters")
        assert error["data"].startswith(f"Failed to deserialize params.{name} - ")


@every("method", SCHEMA.commands)
def test_a_method_with_a_typo_is_not_found(everything: Everything, method: str) -> None:
    for typo in (f"{method}x", method.lower(), method.partition(".")[2]):
        assert everything.error(typo, {}) == {"code": -32601, "message": f"'{typo}' wasn't found"}


def broken(method: str, name: str, value: Any) -> Event:
    """Return the smallest event of that name, with another value in a field."""
    event = msgspec.convert(sample_event(method), event_class(method))
    (field,) = (item.name for item in msgspec.structs.fields(event) if item.encode_name == name)
    return msgspec.structs.replace(event, **{field: value})


@every("method", [name for name, event in SCHEMA.events.items() if required(event.parameters)])
def test_an_event_without_a_required_field_raises_before_the_wire(everything: Everything, method: str) -> None:
    for name in required(SCHEMA.events[method].parameters):
        with pytest.raises(NonConforming, match=rf"^{method}: params\.{name}: required, and missing$"):
            everything.browser.emit(broken(method, name, msgspec.UNSET))

    assert everything.client.take() == []


@every("method", [name for name, event in SCHEMA.events.items() if wrongly_typed(event.parameters)])
def test_an_event_with_a_value_of_a_wrong_type_raises_before_the_wire(everything: Everything, method: str) -> None:
    for name, wrong in wrongly_typed(SCHEMA.events[method].parameters):
        with pytest.raises(NonConforming, match=rf"^{method}: params\.{name}: .* expected$"):
            everything.browser.emit(broken(method, name, wrong))

    assert everything.client.take() == []
