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
IN_FRONT = {
    "window_geometry",
    "pointer_lock_needs_a_gesture",
    "frame_focus",
    "speculation_rules_prefetch",
    "css_animation",  # of a transform: the compositor shows a frame a second there, and its events come that late
}
"""What Chromium does in no tab that is behind another, whether its page takes itself for visible or not."""
WITHOUT_CLIENT = {"speculation_rules_prerender"}
"""What Chromium does for no page that has a session of any client: see `test_unusual_documents.py`."""


def features_of(setting: str, *, whole: bool) -> tuple[Feature, ...]:
    """The features that are played in a setting, in the order of the chain."""
    modules = AFTER_STOP if setting == "after_stop" else MODULES
    chain = tuple(
        feature for module in modules for feature in module.FEATURES[:: 1 if whole or module in CLOSE else SAMPLE]
    )
    match setting:
        case "bare" | "after_stop":
            return chain
        case "opened_in_front":
            return tuple(feature for feature in chain if feature.name in IN_FRONT)
        case "opened_tab":
            return tuple(feature for feature in chain if feature.name not in IN_FRONT | WITHOUT_CLIENT)
        case _:
            return tuple(feature for feature in chain if feature.name not in WITHOUT_CLIENT)
