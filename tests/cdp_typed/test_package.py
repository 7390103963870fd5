"""The names of the package, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cdp_typed


def test_every_public_name_is_there() -> None:
    assert {name: getattr(cdp_typed, name).__class__ for name in cdp_typed.__all__}
    assert set(cdp_typed.__all__) <= set(dir(cdp_typed))


def test_an_unknown_name_is_an_attribute_error() -> None:
    misspelt = "conect"

    with pytest.raises(AttributeError, match="module 'cdp_typed' has no attribute 'conect'"):
        getattr(cdp_typed, misspelt)


@pytest.mark.parametrize(
    ("imported", "heavy"),
    [
        ("import cdp_typed", ("asyncio", "websockets", "msgspec", "cdp_typed.client", "cdp_typed.protocol")),
        # A pipe needs no websocket, and a `ws://` address no HTTP.
        ("from cdp_typed import connect", ("http.client", "websockets", "cdp_typed.mock", "cdp_typed.sync")),
    ],
)
def test_an_import_loads_only_what_it_needs(imported: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys; {imported}; print([name for name in {heavy} if name in sys.modules])"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "[]\n"
