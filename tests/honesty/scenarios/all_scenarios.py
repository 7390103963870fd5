"""All scenarios, by name, and by the domain that they are about."""

from __future__ import annotations

from typing import Final

from tests.honesty.scenarios import (
    addresses,
    cookies,
    dialogs,
    frames,
    leaving,
    leaving_twice,
    network,
    runtime,
    scripts,
    sessions,
    small_documents,
    windows,
)
from tests.honesty.scenarios.probes import (
    announcements,
    envelopes,
    first_hour,
    lifecycle,
    requests,
    runtime_options,
    targets,
    unloading,
    user_input,
)
from tests.honesty.scenarios.registry import DOMAINS, FATAL, SCENARIOS

__all__ = ["DOMAINS", "FATAL", "MODULES", "SCENARIOS"]

MODULES: Final = (
    addresses,
    announcements,
    leaving_twice,
    scripts,
    sessions,
    cookies,
    dialogs,
    envelopes,
    first_hour,
    frames,
    leaving,
    lifecycle,
    network,
    requests,
    runtime,
    runtime_options,
    small_documents,
    targets,
    unloading,
    user_input,
    windows,
)
