"""Packages that a test has loaded anew."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest


def forget(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the next import load this module anew. After the test, it and its name in its package are as before."""
    module = import_module(name)
    parent, _, child = name.rpartition(".")
    for loaded in [loaded for loaded in sys.modules if f"{loaded}.".startswith(f"{name}.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setattr(sys.modules[parent], child, module)
