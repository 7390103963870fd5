"""The folders of files and logins, for the tests of the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.fernet import Fernet


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path / "network"))
    monkeypatch.setenv("CDP_LOGIN_FOLDER", str(tmp_path / "logins"))
    monkeypatch.setenv("CDP_STATE_KEY", Fernet.generate_key().decode())
    return tmp_path / "network"
