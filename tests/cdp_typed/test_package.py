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


def test_importing_the_package_loads_neither_bindings_nor_asyncio() -> None:
    heavy = ("asyncio", "websockets", "msgspec", "cdp_typed.client", "cdp_typed.protocol")
    code = f"import sys, cdp_typed; print([name for name in {heavy} if name in sys.modules])"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "[]\n"


def test_the_client_loads_what_dialling_needs_only_when_it_dials() -> None:
    """A pipe needs no websocket, and a `ws://` address no HTTP."""
    heavy = ("http.client", "websockets", "cdp_typed.mock", "cdp_typed.sync")
    code = f"import sys; from cdp_typed import connect; print([name for name in {heavy} if name in sys.modules])"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "[]\n"
