"""Every feature of the suite, in the order of the chain."""

from __future__ import annotations

from tests.web_platform.feature import Feature
from tests.web_platform.features import (
    documents,
    downloads,
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
    rendering,
    timing,
    interaction,
    lifecycle,
    downloads,
    frames,
    workers,
    worklets,
    scripts,
    fetching,
    streaming,
    service_workers,
    documents,
    elements,
    history,
    media,
    permissions,
    languages,
    storage,
    messaging,
    policies,
    forms,
)
"""Downloads come early, because they take a while. What opens popups comes last: the tab behind a popup comes to the
front when that is closed, whether it was in front before or not."""
CLOSE = {rendering, timing, interaction, lifecycle, downloads, frames, workers, worklets, history, messaging}
"""Near to what a client of the browser does: these are always played, and of the others one feature in `SAMPLE`."""
SAMPLE = 6
AFTER_STOP = (rendering, timing, frames, workers, worklets)
"""What a supervisor that is gone could have left behind in a page."""


def features_of(setting: str, *, whole: bool) -> tuple[Feature, ...]:
    """The features that are played in a setting, in the order of the chain."""
    modules = AFTER_STOP if setting == "after_stop" else MODULES
    return tuple(
        feature for module in modules for feature in module.FEATURES[:: 1 if whole or module in CLOSE else SAMPLE]
    )
