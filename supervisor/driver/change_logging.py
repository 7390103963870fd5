"""Writes changes that no caller asked for to the logger `supervisor`."""

from __future__ import annotations

import logging

from supervisor.core.vocabulary.values import Change

_log = logging.getLogger("supervisor")


def log(change: Change) -> None:
    """Log a change that a person who runs the agent wants to know of."""
    match change.kind:
        case "bridge" if change.subject == "armed":
            _log.warning("pages ask through the dialog bridge from now on: %s", change.text)
        case "bridge" if change.subject == "off":
            _log.info("pages show their own dialogs again: %s", change.text)
        case "bridge" if change.subject == "absent":
            _log.warning(
                "page %s has no dialog bridge: it belongs to a person or another client, until it is selected",
                change.text,
            )
        case "page_managed":
            _log.info("page %s is %s", change.subject, change.text)
        case "dialog_closed" if change.text.endswith("by watchdog"):
            _log.warning("dialog %s was not answered in time: %s", change.subject, change.text)
        case _:
            pass
