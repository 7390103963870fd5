"""What a person controls agents with: live views, MCP servers, sessions, and the port of the browser itself.

No page of an agent goes there and none is given a file of it, whatever the policy allows: an agent that reads the token
of a live view and opens it could approve its own calls.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname
from weakref import WeakKeyDictionary

from cdp_agent import own_uid, runtime_folder
from cdp_typed import Connection
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.urls.addresses import WRAPPERS, cleaned

BELONGS = "it belongs to the person who controls the agent"

_LOOPBACK = ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]")
"""What leads to a server on loopback. Chromium and our own servers take no other `Host`."""
_VIEWS = "cdp-typed-live"
_served: Counter[str] = Counter()
_ports: WeakKeyDictionary[Connection, tuple[str, ...]] = WeakKeyDictionary()


class ControlRules(UrlRules, frozen=True, kw_only=True):
    """URL rules that refuse these servers, and restrict raw commands in nothing else."""

    def why_not(self, url: str) -> str | None:
        """Return the reason to refuse a URL, or None."""
        return BELONGS if self.deny_origins and UrlRules.why_not(self, url) == "its origin is denied" else None


@contextmanager
def served(host: str, port: int, names: Iterable[str]) -> Generator[None]:
    """Refuse a server of this process for the length of the block."""
    origins = [*_origins(host, port), *(f"{name}:{port}" for name in names if ":" not in name)]
    _served.update(origins)
    try:
        yield
    finally:
        _served.subtract(origins)


def note_browser(connection: Connection, url: str) -> None:
    """Refuse the port of a browser for as long as there is a connection to it."""
    address = urlsplit(url)
    if address.hostname and address.port:
        _ports[connection] = _origins(address.hostname, address.port)


def rules() -> ControlRules:
    """Return what a browser has to hold its pages to: the servers of now."""
    return ControlRules(deny_origins=tuple(sorted(+_served)))


def why_not(url: str) -> str | None:
    """Return the reason why no page of an agent goes to a URL, or None."""
    plain = cleaned(url)
    while (scheme := plain.partition(":")[0].lower()) in WRAPPERS:
        plain = cleaned(plain[len(scheme) + 1 :])
    if scheme == "file":
        return why_not_file(url2pathname(urlsplit(plain.replace("\\", "/")).path))
    ports = [origin for origins in list(_ports.values()) for origin in origins]
    if scheme == "devtools" and ports:  # these pages may connect to the port of the browser
        return BELONGS
    return ControlRules(deny_origins=(*sorted(+_served), *ports)).why_not(plain)


def why_not_file(path: str) -> str | None:
    """Return the reason why no page of an agent is given a file, or None."""
    asked = Path(os.path.realpath(path))
    for folder in (asked, *asked.parents):
        if folder in _folders() or (folder.name == "profile" and folder.parent.name.startswith("cdp-typed-")):
            return BELONGS
    return None


def views_folder() -> Path:
    """Return the folder in which the live views of this user are listed, with their tokens; it may not exist yet."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_dir():
        return Path(runtime) / _VIEWS
    uid = own_uid()
    return Path(tempfile.gettempdir()) / (_VIEWS if uid < 0 else f"{_VIEWS}-{uid}")


def _folders() -> frozenset[Path]:
    """`/proc` has the tokens of all that runs, in the environments of processes."""
    return frozenset(Path(os.path.realpath(folder)) for folder in (runtime_folder(), views_folder(), "/proc"))


def _origins(host: str, port: int) -> tuple[str, ...]:
    own = f"[{host}]" if ":" in host else host
    return tuple(f"{name}:{port}" for name in dict.fromkeys((own, *(_LOOPBACK if own in _LOOPBACK else ()))))
