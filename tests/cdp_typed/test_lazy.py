"""A facade is filled when it is first used, and is then a module like any other."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cdp_typed.protocol import fetch, page


def test_a_name_is_the_same_object_every_time() -> None:
    assert page.Navigate is page.Navigate
    assert "Navigate" in vars(page)


def test_every_public_name_can_be_had_and_is_listed() -> None:
    assert {name for name in fetch.__all__ if getattr(fetch, name, None) is not None} == set(fetch.__all__)
    assert set(fetch.__all__) <= set(dir(fetch))


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
