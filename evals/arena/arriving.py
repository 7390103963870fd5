"""Reaches an element of a page that is still being made."""

from __future__ import annotations

from contextlib import suppress

from evals.tasks.hands import Hands, NotOnPage

__all__ = ["open_by", "reach"]


def reach(hands: Hands, name: str, *roles: str, text: str = "") -> str:
    """Return an element's ref, after one call that waits for its text where the page does not show it yet.

    That call is counted as a second look. `text` is waited for if it is not the name.
    """
    with suppress(NotOnPage):
        return hands.look().ref(name, *roles)
    hands.usage.again += 1
    hands.looking.wait_text(text or name)
    return hands.ref(name, *roles)


def open_by(hands: Hands, name: str, *roles: str) -> None:
    """Click an element, by `reach`, to see what it opens."""
    ref = reach(hands, name, *roles)
    hands.looking.click(ref)
