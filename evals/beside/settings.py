"""The supervisors that stand beside another client, each with a setting that does something to pages."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor import CDPSupervisor, UrlRules
from supervisor.config import Settings

__all__ = ["SETTINGS", "make_supervisor"]

_WATCHING = Settings(watch_debugger=True, watch_http_auth=True, watch_requests=True)

SETTINGS: Mapping[str, Settings] = {
    "default": Settings(),
    "bridge": Settings(dialog_bridge="always"),
    "dismissing": Settings(dialog_policy="auto_dismiss"),
    "accepting": Settings(dialog_policy="auto_accept"),
    "own": Settings(scope="own"),
    "watching": _WATCHING,
    "restricted": Settings(),
}
"""By name. `restricted` lets pages go everywhere but to one place, for which every request of a document is held."""


def make_supervisor(cdp_url: str, setting: str) -> CDPSupervisor:
    """One that is not started yet."""
    supervisor = CDPSupervisor(cdp_url, **SETTINGS[setting])
    if setting == "restricted":
        supervisor.restrict(UrlRules(deny_origins=("https://nowhere.example",)))
    return supervisor
