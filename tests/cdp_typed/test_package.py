"""The names of the package and of its modules, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import cdp_typed
from cdp_typed.protocol import fetch, page


@pytest.mark.parametrize("module", [cdp_typed, fetch])
def test_every_public_name_can_be_had_and_is_listed(module: ModuleType) -> None:
    assert {name for name in module.__all__ if getattr(module, name, None) is not None} == set(module.__all__)
    assert set(module.__all__) <= set(dir(module))


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


def test_a_name_is_the_same_object_every_time() -> None:
    assert page.Navigate is page.Navigate
    assert "Navigate" in vars(page)


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("from cdp_typed.protocol import io; print('Read' in vars(io), 'Read' in dir(io))", "False True\n"),
        ("from cdp_typed.protocol.fetch import *; print(RequestPaused.METHOD)", "Fetch.requestPaused\n"),
    ],
)
def test_names_are_listed_before_anything_is_loaded_and_a_star_brings_them(code: str, printed: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == printed
