"""The folders of files and logins, for the tests of the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.supervisor.tools.conftest import Call


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path / "network"))
    monkeypatch.setenv("CDP_LOGIN_FOLDER", str(tmp_path / "logins"))
    monkeypatch.setenv("CDP_STATE_KEY", Fernet.generate_key().decode())
    return tmp_path / "network"


def fetched(call: Call, path: str, options: str = "{}", **arguments: Any) -> str:
    """What a script of the page gets from the address, and the status."""
    script = f"fetch({path!r}, {options}).then(async r => r.status + ' ' + await r.text(), e => 'failed')"
    return str(call("browser_evaluate", expression=script, **arguments)["value"])
