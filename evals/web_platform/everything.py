"""Every feature of the suite, in the order of the chain."""

from __future__ import annotations

from collections.abc import Iterator

from evals.web_platform.feature import Feature
from evals.web_platform.features.pages import documents, elements, forms, frames, history, lifecycle
from evals.web_platform.features.presentation import interaction, languages, media, rendering
from evals.web_platform.features.resources import downloads, fetching, storage, streaming
from evals.web_platform.features.scripting import messaging, scripts, service_workers, timing, workers, worklets
from evals.web_platform.features.security import permissions, policies

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
"""Near to what a client of the browser does. Unless the whole suite is played, each of their features is played in one
of the two settings `agent_page` and `opened_tab`, and of the other modules one feature in `SAMPLE`, another in each."""
VISIBLE = {rendering, timing, interaction}
"""They depend on whether the page is visible: all of them are played in `opened_tab`, and only a sample in
`agent_page`."""
SAMPLE = 6
AFTER_STOP = (rendering, timing, frames, workers, worklets)
"""The features in which a stopped supervisor could have left something behind."""
IN_FRONT = {
    "window_geometry",
    "pointer_lock_needs_a_gesture",
    "frame_focus",
    "speculation_rules_prefetch",
    "css_animation",  # of a transform: the compositor shows a frame a second there, and its events come that late
}
"""Features that fail in Chromium (156) in a tab behind another, whether its page is told to be visible or not."""
WITHOUT_CLIENT = {"speculation_rules_prerender"}
"""Features that Chromium switches off for a page with a session of any client: see `test_unusual_documents.py`."""


def features_of(setting: str, *, whole: bool) -> tuple[Feature, ...]:
    """The features that are played in a setting, in the order of the chain."""
    match setting:
        case "bare":
            return _without_client(whole=whole)
        case "after_stop":
            return tuple(feature for module in AFTER_STOP for feature in module.FEATURES)
        case "opened_in_front":
            return tuple(feature for feature in _all() if feature.name in IN_FRONT)
        case "opened_tab":
            chain = _all() if whole else tuple(_some(1))
            return tuple(feature for feature in chain if feature.name not in IN_FRONT | WITHOUT_CLIENT)
        case _:
            chain = _all() if whole else tuple(_some(0))
            return tuple(feature for feature in chain if feature.name not in WITHOUT_CLIENT)


def _all() -> tuple[Feature, ...]:
    return tuple(feature for module in MODULES for feature in module.FEATURES)


def _some(turn: int) -> Iterator[Feature]:
    """The features of one of two turns, which together play all features of the modules in `CLOSE`."""
    for module in MODULES:
        if module is downloads or (module in VISIBLE and turn == 1):
            yield from module.FEATURES
        elif module in CLOSE - VISIBLE:
            yield from module.FEATURES[turn::2]
        else:
            yield from module.FEATURES[turn * SAMPLE // 2 :: SAMPLE]


def _without_client(*, whole: bool) -> tuple[Feature, ...]:
    """All; or those of the supervised settings that may report something else than `ok`, the downloads, and the first
    feature of each module."""
    if whole:
        return _all()
    supervised = {
        feature.name for setting in ("agent_page", "opened_tab") for feature in features_of(setting, whole=False)
    }
    firsts = {module.FEATURES[0].name for module in MODULES} | {feature.name for feature in downloads.FEATURES}
    return tuple(
        feature
        for feature in _all()
        if feature.name in firsts | IN_FRONT or (feature.name in supervised and feature.can_vary)
    )
