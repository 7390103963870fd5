"""The vault: logins that an agent uses and does not see, each encrypted and bound to one origin."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode
from cdp_typed.redaction import protect
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.urls.addresses import read_address
from supervisor.core.vocabulary.urls.hosts import UnreadableAddress

from .checkpoint_values import InvalidCheckpoint
from .named_files import NamedFiles, checked_name
from .sealed import KEY, sealed, unsealed

FOLDER = "CDP_LOGIN_FOLDER"
"""The variable that names the folder; by default it is `cdp-typed/logins` in the user's folder for program state."""
SHORTEST = 4
"""Characters of a password. A shorter one could not be removed from results without damage to other text."""
_END = ".login"


class Login(Struct, frozen=True, kw_only=True):
    """A user name and a password for one origin. Its `repr` shows neither."""

    origin: str
    """Scheme, host and port, as a browser reports it: `https://shop.example`."""
    user: str = ""
    password: str

    def __repr__(self) -> str:
        return f"<Login {self.origin}>"


class _KeptLogin(Struct, frozen=True, kw_only=True):
    """The content of a file, which no other name gets by a renamed file."""

    name: str
    login: Login


class LoginFiles(NamedFiles):
    """The logins by name, encrypted with the key in `CDP_STATE_KEY`."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__("logins", FOLDER, environment)
        self._environment = environment

    def names(self) -> list[str]:
        """The names of the logins, in order."""
        return [name.removesuffix(_END) for name in super().names() if name.endswith(_END)]

    def save(self, name: str, login: Login) -> None:
        """Write a login, in place of one of the same name (mode 0600).

        Raises `InvalidConfig` for a name or an origin that is none, a password of less than `SHORTEST` characters,
        without a key, and without the extra `secrets`.
        """
        checked_name(name)
        if len(login.password) < SHORTEST:
            raise InvalidConfig("password", "(hidden)", f"at least {SHORTEST} characters")
        login = msgspec.structs.replace(login, origin=_origin(login.origin))
        self.write(f"{name}{_END}", sealed(msgspec.json.encode(_KeptLogin(name=name, login=login)), self._environment))

    def load(self, name: str) -> Login | None:
        """Return a login; None if no login has this name.

        Raises `InvalidCheckpoint` for one that is damaged, was encrypted with another key, or saved by another name.
        """
        try:
            data = self.path(f"{checked_name(name)}{_END}").read_bytes()
        except FileNotFoundError:
            return None
        try:
            kept = decode(unsealed(data, self._environment), type=_KeptLogin)
        except msgspec.MsgspecError:
            raise InvalidCheckpoint("the file is not bound to its name; save the login again") from None
        if kept.name != name:
            raise InvalidCheckpoint("the file was saved under another name; save the login again")
        return kept.login

    def remove(self, name: str) -> bool:
        """Delete a login. Returns False if no login has this name."""
        try:
            self.path(f"{checked_name(name)}{_END}").unlink()
        except FileNotFoundError:
            return False
        return True


def protect_saved(environment: Mapping[str, str] = os.environ) -> None:
    """Hide the passwords of all logins that can be used here: an earlier process may have filled them into pages."""
    files = LoginFiles(environment)
    for name in files.names() if environment.get(KEY) else ():
        with suppress(InvalidConfig, InvalidCheckpoint, OSError):  # what cannot be read is filled by nobody
            login = files.load(name)
            protect(login.password if login is not None else "")


def _origin(address: str) -> str:
    """The origin of an address, as browsers read it. Raises `InvalidConfig`."""
    try:
        read = read_address(address)
    except UnreadableAddress:
        read = None
    if read is None or read.scheme not in ("http", "https"):
        raise InvalidConfig("origin", address, "scheme, host and port, such as https://shop.example")
    return read.origin
