"""The options of `open`: the browser of a session, and its policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from cdp_agent import KEPT_POLICY
from cdp_typed.cli.arguments import UsageError
from cdp_typed.conversions import decode
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.tools import Policy

OPTIONS = {
    "cdp": True, "connect": False, "headed": False, "profile": True, "page-proxy": True, "window-size": True,
    "allow-origins": True, "deny-origins": True, "deny-private": False, "owner": True, "idle": True,
}  # fmt: skip
"""The options that only `open` takes; true for those with a value."""
_OF_A_LAUNCH = ("headed", "profile", "page-proxy", "window-size")
_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")


class Choices(Struct, frozen=True, kw_only=True):
    """The browser of a session, and what it may do there."""

    cdp: str | None = None
    """The address of a browser that runs already; without one a Chromium is launched."""
    connect: bool = False
    """The running browser of this user: see `find_running`."""
    headed: bool = False
    profile: str | None = None
    proxy: str | None = None
    window_size: tuple[int, int] | None = None
    policy: Policy = Policy()

    @property
    def is_launched(self) -> bool:
        """Whether the session starts a browser."""
        return self.cdp is None and not self.connect


def choices_of(options: Mapping[str, str], folder: str) -> Choices:
    """Read the options. Raises `UsageError`, and `InvalidConfig` for a pattern that cannot be read."""
    launching = [name for name in _OF_A_LAUNCH if name in options]
    if len([name for name in ("cdp", "connect") if name in options] + launching[:1]) > 1:
        raise UsageError(
            f"--cdp, --connect and the options of a new browser (--{', --'.join(_OF_A_LAUNCH)}) exclude each other"
        )
    profile = options.get("profile")
    return Choices(
        cdp=options.get("cdp"),
        connect="connect" in options,
        headed="headed" in options,
        profile=None if profile is None else str(Path(folder, profile)),
        proxy=options.get("page-proxy"),
        window_size=_size(options["window-size"]) if "window-size" in options else None,
        policy=Policy(
            allow_origins=_patterns(options, "allow-origins"),
            deny_origins=_patterns(options, "deny-origins") or (),
            deny_private="deny-private" in options,
        ),
    )


def keep_policy(private: Path, policy: Policy) -> None:
    """Note it in the folder of a session, which stays when its process is killed."""
    (private / KEPT_POLICY).write_bytes(msgspec.json.encode(policy))


def kept_policy(private: Path) -> Policy:
    """The policy of a session of this name that was killed; one that restricts nothing where there was none.

    Raises `UsageError` for a file that holds none.
    """
    try:
        return decode((private / KEPT_POLICY).read_bytes(), type=Policy)
    except FileNotFoundError:
        return Policy()
    except (msgspec.MsgspecError, InvalidConfig, OSError):
        raise UsageError("the session's restrictions cannot be read; end it: cdp-agent close") from None


def _patterns(options: Mapping[str, str], name: str) -> tuple[str, ...] | None:
    """The patterns of an option. Raises `UsageError` for an empty one, such as that of a variable that is not set."""
    if name not in options:
        return None
    patterns = tuple(pattern.strip() for pattern in options[name].split(","))
    if "" in patterns:
        raise UsageError(f"--{name}: patterns between commas are expected, and one is empty")
    return patterns


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise UsageError(f"--window-size: a width and a height such as 1280x800 are expected, not {text!r}")
    return int(match[1]), int(match[2])
