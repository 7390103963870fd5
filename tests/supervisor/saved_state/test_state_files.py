"""The folder of saved states: names, modes, encryption and expiry."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from cryptography.fernet import Fernet

from supervisor import InvalidConfig
from supervisor.saved_state.checkpoint_values import Checkpoint, InvalidCheckpoint, StorageArea
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.saved_state.sealed import KEY, sealed
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


@pytest.mark.parametrize(("of", "to"), [("evil", "shop"), ("shop", "evil"), ("a", "a.b")])
def test_a_file_that_was_renamed_is_neither_the_state_nor_the_login_of_its_new_name(
    tmp_path: Path, of: str, to: str
) -> None:
    key = new_key()
    states, logins = files(tmp_path, key), LoginFiles({"CDP_LOGIN_FOLDER": str(tmp_path / "logins"), KEY: key})
    states.save(of, SAVED)
    logins.save(of, Login(origin="https://a.test", user="ada", password=CANARY))
    for kept, end in ((states, "state"), (logins, "login")):
        (kept.folder / f"{of}.{end}").rename(kept.folder / f"{to}.{end}")
        with pytest.raises(InvalidCheckpoint, match="saved under another name"):
            kept.load(to)


def test_a_login_without_a_name_in_its_file_is_refused(tmp_path: Path) -> None:
    environment = {"CDP_LOGIN_FOLDER": str(tmp_path), KEY: new_key()}
    login = msgspec.json.encode(Login(origin="https://a.test", password=CANARY))
    (tmp_path / "shop.login").write_bytes(sealed(login, environment))

    with pytest.raises(InvalidCheckpoint, match="not bound to its name"):
        LoginFiles(environment).load("shop")


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


@pytest.mark.parametrize("days", ["nan", "inf", "-1", "1e300", "soon", ""])
def test_a_time_after_which_no_state_could_be_read_is_refused(tmp_path: Path, days: str) -> None:
    with pytest.raises(InvalidConfig, match="expected a number of days from 0 to 36500"):
        files(tmp_path, new_key(), CDP_STATE_EXPIRE_DAYS=days).save("shop", SAVED)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://shop.test\\@evil.test/", "https://shop.test"),
        ("https://evil.test@shop.test/", "https://shop.test"),
        ("https://shop.test/\\@evil.test", "https://shop.test"),
        ("HTTP://0x7f.1:80", "http://127.0.0.1"),
        ("https://\u212ashop.test", "https://kshop.test"),
        ("https://[::ffff:1.2.3.4]:8443", "https://[::ffff:102:304]:8443"),
        ("https://*.shop.test", None),
        ("https://a..test", None),
        ("https://[::1", None),
        ("https://a b", None),
        ("ftp://shop.test", None),
        ("data:text/html,https://shop.test", None),
    ],
)
def test_a_login_is_for_the_origin_to_which_a_browser_goes(tmp_path: Path, address: str, origin: str | None) -> None:
    logins = LoginFiles({"CDP_LOGIN_FOLDER": str(tmp_path), KEY: new_key()})
    if origin is None:
        with pytest.raises(InvalidConfig, match="expected scheme, host and port"):
            logins.save("shop", Login(origin=address, password=CANARY))
        return
    logins.save("shop", Login(origin=address, password=CANARY))
    assert logins.load("shop") == Login(origin=origin, password=CANARY)
