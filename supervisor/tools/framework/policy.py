"""The policy of an agent: the URLs, CDP methods and files it may use, the tools that a person approves, and the texts
hidden from it."""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated

from msgspec import Meta, Struct

from cdp_typed.printable import visible
from cdp_typed.protocol.registry import COMMANDS
from cdp_typed.url_patterns import matches
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.known_names import KnownNames
from supervisor.core.vocabulary.setting_values import check_fields
from supervisor.core.vocabulary.url_rules import UrlRules, shown
from supervisor.core.vocabulary.values import Change, SupervisorSnapshot
from supervisor.driver import controls

from .tool_errors import PolicyRefused

_log = logging.getLogger("supervisor.tools.policy")

_IS_APPROVED: ContextVar[bool] = ContextVar("tool_call_is_approved", default=False)

_METHODS = re.compile(r"[\w*?]+\.[\w*?]+", re.ASCII)

Patterns = Annotated[tuple[str, ...], Meta(max_length=1000)]


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, metaclass=KnownNames):
    """Anything not denied here is allowed. Raises `InvalidConfig` for a pattern that cannot be read.

    An origin's pattern is `scheme://host[:port]`, `host[:port]` or a network, as in `UrlRules`: `https://*.example.com`,
    `localhost:8080`, `10.0.0.0/8`.
    """

    allow_origins: Patterns | None = None
    """Patterns of the URLs that pages and frames may come from; None allows all."""
    deny_origins: Patterns = ()
    """Asked before `allow_origins`. One without a port denies every port, and one without a scheme every scheme."""
    deny_private: bool = False
    """Refuse `file:` and the browser's own pages (`chrome:`, `devtools:`, `view-source:`), this machine, and private,
    link-local and metadata addresses. Names are not looked up: a public name of a private address is not seen."""
    allow_loopback: bool = False
    """Beside `deny_private`, allow what this machine serves to itself: `localhost`, `127.0.0.1`, `[::1]`."""
    allow_methods: Patterns | None = None
    """The CDP methods that `browser_cdp` may send, such as `Page.*`; None: any."""
    deny_methods: Patterns = ()
    """Asked before `allow_methods`."""
    allow_files: Patterns | None = None
    """The files of the browser's machine that pages may be given, such as `/srv/uploads/*`; None: any. Of raw commands,
    the folders of downloads and extensions, too. The URL rules decide about a `file:` address: see `deny_private`."""
    approve: Patterns = ()
    """The tools whose calls a person approves (`supervisor.addons.live.Approvals`): names, such as `browser_click`, or
    patterns, such as `*`, which mean only tools that act. Where no person is asked, these calls are refused."""
    redact: Patterns = ()
    """Regular expressions; what they match is shown as `[redacted]` in every result."""

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.url_rules  # raises
        for key, patterns in (("allow_methods", self.allow_methods), ("deny_methods", self.deny_methods)):
            for pattern in patterns or ():
                _check_method(key, pattern)
        for pattern in self.redact:
            try:
                finds_nothing = re.fullmatch(pattern, "") is not None
            except re.error as error:
                raise InvalidConfig("redact", pattern, f"a regular expression ({error})") from None
            if finds_nothing:
                raise InvalidConfig("redact", pattern, "a regular expression that does not fit the empty text")

    @property
    def url_rules(self) -> UrlRules:
        """Return the part of the policy that a supervisor enforces on its pages."""
        return UrlRules(
            allow_origins=self.allow_origins,
            deny_origins=self.deny_origins,
            deny_private=self.deny_private,
            allow_loopback=self.allow_loopback,
        )

    @property
    def watches(self) -> bool:
        """Return True when there is a URL that pages may not go to."""
        return self.url_rules.restricts

    @property
    def restricts(self) -> bool:
        """Return True when the policy refuses anything that a command can do."""
        some_methods = self.allow_methods is not None or bool(self.deny_methods)
        return self.watches or some_methods or self.allow_files is not None

    def why_not_url(self, url: str) -> str | None:
        """Return the reason to refuse a URL, or None: what belongs to the person is refused whatever the rules say."""
        return controls.why_not(url) or self.url_rules.why_not(url)

    def check_url(self, url: str) -> None:
        """Raise `PolicyRefused` for a URL that is refused; each decision is logged, by origin."""
        why = self.why_not_url(url)
        if self.watches or why:
            _note(shown(url), why)
        if why:
            raise PolicyRefused(shown(url), why)

    def check_page(self, now: SupervisorSnapshot) -> None:
        """Raise `PolicyRefused` when the current page, or a frame of it, shows a URL that is refused: it was open
        before the policy was in force."""
        top = now.frame_tree.top
        if top is None:
            return
        for frame in (top, *now.frame_tree.children):
            why = self.why_not_url(frame.url)
            if why:
                _note(shown(frame.url), why)
                what = "the open page" if frame is top else "a frame of the open page"
                raise PolicyRefused(f"{what} ({shown(frame.url)})", why)

    def note_stop(self, change: Change) -> None:
        """Log a decision that a supervisor took itself: a change of the kind `navigation_refused`."""
        refused = stopped(change)
        _note(refused.what, refused.why)

    def why_not_method(self, method: str) -> str | None:
        """Return the reason to refuse a CDP method, or None for one that may be sent."""
        if any(_fits(method, pattern) for pattern in self.deny_methods):
            return "the method is denied"
        if self.allow_methods is None or any(_fits(method, pattern) for pattern in self.allow_methods):
            return None
        return "the method is not among those allowed"

    def check_method(self, method: str) -> None:
        """Raise `PolicyRefused` for a CDP method that may not be sent; each decision is logged."""
        why = self.why_not_method(method)
        _note(visible(method), why)
        if why:
            raise PolicyRefused(visible(method), why)

    def asks_person(self, tool: str, *, acts: bool) -> bool:
        """Return True for a tool whose calls a person has to approve; `acts` is True for one that changes something."""
        return any(tool == pattern or (acts and _fits(tool, pattern)) for pattern in self.approve)

    def check_approved(self, tool: str, *, acts: bool) -> None:
        """Raise `PolicyRefused` for a call that a person has to approve, and that none has."""
        if self.asks_person(tool, acts=acts) and not is_approved():
            raise PolicyRefused(visible(tool), "a person has to approve its calls, and nobody is asked here")

    def check_file(self, path: str) -> None:
        """Raise `PolicyRefused` for a file that no page may be given; each decision is logged."""
        self._check_file(path, path)

    def check_folder(self, path: str) -> None:
        """Raise `PolicyRefused` for a folder in which not every file may be used; each decision is logged."""
        self._check_file(path, f"{path}/any.file")

    def _check_file(self, path: str, asked: str) -> None:
        plain = posixpath.normpath(asked.replace("\\", "/"))
        why = controls.why_not_file(path)
        allowed = None if self.allow_files is None else [pattern.replace("\\", "/") for pattern in self.allow_files]
        if allowed is not None and not any(_fits(plain, pattern) for pattern in allowed):
            why = why or "the file is not among those allowed"
        _note(visible(path), why)
        if why:
            raise PolicyRefused(visible(path), why)


@contextmanager
def approved() -> Generator[None]:
    """Let the tool calls of the block pass, because a person has approved the call that makes them."""
    token = _IS_APPROVED.set(True)
    try:
        yield
    finally:
        _IS_APPROVED.reset(token)


def is_approved() -> bool:
    """Return True in a tool call that a person has approved, and in the calls that it makes."""
    return _IS_APPROVED.get()


def stopped(change: Change) -> PolicyRefused:
    """A request that a supervisor did not let out, as the error that it would have been before."""
    why, _, origin = change.text.partition(": ")
    return PolicyRefused(origin, why)


def _check_method(key: str, pattern: str) -> None:
    """Refuse a pattern that no method fits: an agent would send what a person meant to deny."""
    if any(_fits(method, pattern) for method in COMMANDS):
        return
    near = [method for method in COMMANDS if _fits(method.lower(), pattern.lower())]
    if near or not _METHODS.fullmatch(pattern):  # what only looks like a method may be one of a newer browser
        known = near[0] if near else "Page.navigate"
        raise InvalidConfig(key, pattern, f"a method such as {known}, or a pattern such as {known.partition('.')[0]}.*")


def _fits(name: str, pattern: str) -> bool:
    """Whether this is the name, where `*` stands for any text and `?` for one character, and `[` for itself."""
    return matches(pattern.replace("\\", "\\\\"), name)


def _note(what: str, why: str | None) -> None:
    _log.info("%s: %s", what, f"refused, {why}" if why else "allowed")
