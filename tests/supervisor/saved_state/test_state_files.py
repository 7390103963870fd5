"""The folder of saved states: names, modes, encryption and expiry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from supervisor import InvalidConfig
from supervisor.saved_state.checkpoint_values import Checkpoint, InvalidCheckpoint, StorageArea
from supervisor.saved_state.state_files import StateFiles
from tests.support.secrets import CANARY

SAVED = Checkpoint(local_storage=(StorageArea(key="https://a.test/", items=(("token", CANARY),)),))


def files(folder: Path, key: str | None = None, **more: str) -> StateFiles:
    sealing = {} if key is None else {"CDP_STATE_KEY": key}
    return StateFiles({"CDP_STATE_FOLDER": str(folder / "states"), **sealing, **more})


def new_key() -> str:
    return Fernet.generate_key().decode()


def test_an_encrypted_state_is_for_its_owner_and_its_key(tmp_path: Path) -> None:
    kept = files(tmp_path, new_key())
    kept.save("shop", SAVED)
    (path,) = kept.folder.iterdir()

    assert kept.load("shop") == SAVED
    assert CANARY.encode() not in path.read_bytes()
    assert (path.stat().st_mode & 0o777, kept.folder.stat().st_mode & 0o777) == (0o600, 0o700)
    with pytest.raises(InvalidCheckpoint, match="another CDP_STATE_KEY"):
        files(tmp_path, new_key()).load("shop")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InvalidCheckpoint, match="it is damaged"):
        kept.load("shop")


def test_an_expired_state_is_not_loaded(tmp_path: Path) -> None:
    kept = files(tmp_path, new_key(), CDP_STATE_EXPIRE_DAYS="0")
    kept.save("shop", SAVED)

    with pytest.raises(InvalidCheckpoint, match="it has expired"):
        kept.load("shop")


def test_a_plain_state_is_json_for_its_owner_alone(tmp_path: Path) -> None:
    kept = files(tmp_path)
    kept.save("shop.json", SAVED)
    path = kept.folder / "shop.json"

    assert json.loads(path.read_bytes())["origins"][0]["localStorage"] == [{"name": "token", "value": CANARY}]
    assert path.stat().st_mode & 0o777 == 0o600
    assert kept.names() == ["shop.json"]


@pytest.mark.parametrize("key", [None, "short"])
def test_without_a_key_nothing_is_written(tmp_path: Path, key: str | None) -> None:
    kept = files(tmp_path, key)

    with pytest.raises(InvalidConfig, match="CDP_STATE_KEY"):
        kept.save("shop", SAVED)
    assert kept.names() == []


@pytest.mark.parametrize("name", ["../shop", "a/b", "", ".hidden", "a\n", "ü", "x" * 101])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidConfig, match="a name of letters"):
        files(tmp_path, new_key()).load(name)


def test_a_state_that_does_not_exist_is_named_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidCheckpoint, match="no state has this name"):
        files(tmp_path, new_key()).load("shop")
