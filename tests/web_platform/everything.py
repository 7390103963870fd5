"""Every feature of the suite, in the order of the chain."""

from __future__ import annotations

from tests.web_platform.feature import Feature
from tests.web_platform.features import (
    documents,
    elements,
    fetching,
    forms,
    frames,
    history,
    interaction,
    languages,
    lifecycle,
    media,
    messaging,
    permissions,
    policies,
    rendering,
    scripts,
    service_workers,
    storage,
    streaming,
    timing,
    workers,
    worklets,
)

__all__ = ["features_of"]

MODULES = (
    workers,
    worklets,
    scripts,
    fetching,
    streaming,
    service_workers,
    storage,
    messaging,
    history,
    frames,
    policies,
    rendering,
    timing,
    interaction,
    lifecycle,
    documents,
    elements,
    forms,
    media,
    permissions,
    languages,
)
AFTER_STOP = (workers, worklets, frames, rendering, timing)
"""What a supervisor that is gone could have left behind in a page."""


def features_of(setting: str, *, whole: bool) -> tuple[Feature, ...]:
    """The features that are played in a setting, in the order of the chain."""
    modules = AFTER_STOP if setting == "after_stop" else MODULES
    return tuple(
        feature for module in modules for feature in module.FEATURES if whole or not feature.only_in_the_whole_suite
    )
