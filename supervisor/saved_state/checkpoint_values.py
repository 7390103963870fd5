"""`Checkpoint`: what a browser context holds, as a value that can be kept."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from cdp_typed.protocol import network
from supervisor.core.vocabulary.errors import SupervisorError

MAGIC = b"cdp-typed checkpoint "
VERSION = 1


class InvalidCheckpoint(SupervisorError):
    """The bytes are not a readable checkpoint. `why` does not quote them."""

    def __init__(self, why: str) -> None:
        super().__init__(f"cannot be restored: {why}")
        self.why = why


class StorageArea(Struct, frozen=True, kw_only=True):
    """The localStorage or the sessionStorage of a storage key. Its `repr` shows no values."""

    key: str
    """As the browser writes it: `https://example.com/`, for an iframe on another site `https://a.test/^0https://b.test`."""
    items: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        return f"<StorageArea {self.key} {len(self.items)} items>"


class IndexedDatabases(Struct, frozen=True, kw_only=True):
    """The IndexedDB databases of an origin. Its `repr` shows no values."""

    key: str
    """The storage key: `https://example.com/`."""
    databases: str
    """JSON, as Playwright's `storageState` files have it."""
    missing: str = ""
    """The part that could not be read."""

    def __repr__(self) -> str:
        return f"<IndexedDatabases {self.key}>"


class SavedPage(Struct, frozen=True, kw_only=True):
    """A page that was open. Its `repr` shows no address, which may hold a token."""

    url: str
    is_current: bool = False
    session_storage: tuple[StorageArea, ...] = ()

    def __repr__(self) -> str:
        return f"<SavedPage {len(self.session_storage)} areas>"


class Checkpoint(Struct, frozen=True, kw_only=True):
    """The cookies, storage and pages of a supervisor with its own browser context. Its `repr` shows no values.

    Whoever has it can be the agent on every site where the agent is logged in: keep it as you keep a password.
    """

    cookies: tuple[network.Cookie, ...] = ()
    local_storage: tuple[StorageArea, ...] = ()
    """For the origins that a page or a frame showed."""
    indexed_db: tuple[IndexedDatabases, ...] = ()
    """For the same origins; empty for those without a database."""
    pages: tuple[SavedPage, ...] = ()
    missing: tuple[str, ...] = ()
    """One sentence for each storage that could not be read, because its page had an open dialog or a busy script."""

    def to_bytes(self) -> bytes:
        """Return the checkpoint as bytes, which begin with the version of their format."""
        return MAGIC + b"%d\n" % VERSION + msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Checkpoint:
        """Return the checkpoint that `to_bytes` was called on. Raises `InvalidCheckpoint`."""
        head, line_end, content = data.partition(b"\n")
        if not head.startswith(MAGIC) or not line_end:
            raise InvalidCheckpoint("the bytes do not begin as those of a checkpoint do")
        if head != MAGIC + b"%d" % VERSION:
            raise InvalidCheckpoint(f"its format is another one than {VERSION}, which this version reads")
        try:
            return msgspec.msgpack.decode(content, type=cls)
        except msgspec.MsgspecError:  # its text may quote them
            raise InvalidCheckpoint("the bytes are damaged or cut off") from None

    def __repr__(self) -> str:
        areas = f"{len(self.local_storage)} areas, {len(self.pages)} pages, {len(self.missing)} missing"
        return f"<Checkpoint {len(self.cookies)} cookies, {areas}>"
