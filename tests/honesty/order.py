"""What Chromium guarantees between lanes: some messages never come before others."""

from __future__ import annotations

from tests.honesty.player import Entry, Params, Trace

__all__ = ["disorder"]


def disorder(trace: Trace) -> list[str]:
    """What came too early: nothing, as it should be.

    A dialog is closed before whoever answered it is told so, a session is announced before the call that made it is
    answered, and before the frame that it is for leaves the process of its parent.
    """
    found: list[str] = []
    calls: dict[tuple[str, int], Params] = {}
    heard: set[tuple[str, str, str]] = set()
    left: set[tuple[str, str, str]] = set()
    for entry in trace:
        message = entry.message
        if entry.sent:
            calls[entry.connection, message["id"]] = message
            if message["method"] == "Page.handleJavaScriptDialog":
                heard.discard((entry.connection, "closed", message.get("sessionId", "")))
        elif "id" in message:
            needed = _before_reply(entry, calls[entry.connection, message["id"]])
            if needed is not None and needed not in heard:
                found.append(f"the reply {message} came before {needed}")
        else:
            told = _told(entry)
            if not left.isdisjoint(told):
                found.append(f"a frame left its parent's process before {message}")
            left |= _leaves(entry)
            heard |= told
    return found


def _told(entry: Entry) -> set[tuple[str, str, str]]:
    """What this event makes known on its connection."""
    message = entry.message
    if message["method"] == "Target.attachedToTarget":
        params = message["params"]
        ids = (params["sessionId"], params["targetInfo"]["targetId"])
        return {(entry.connection, "attached", each) for each in ids}
    if message["method"] == "Page.javascriptDialogClosed":
        return {(entry.connection, "closed", message.get("sessionId", ""))}
    return set()


def _before_reply(entry: Entry, call: Params) -> tuple[str, str, str] | None:
    """What must be known before this reply."""
    if "result" not in entry.message:
        return None
    if call["method"] == "Page.handleJavaScriptDialog":
        return entry.connection, "closed", call.get("sessionId", "")
    if call["method"] == "Target.attachToTarget":
        return entry.connection, "attached", entry.message["result"]["sessionId"]
    return None


def _leaves(entry: Entry) -> set[tuple[str, str, str]]:
    """What of it must have been known before, if anybody is to be told at all."""
    params = entry.message["params"]
    if entry.message["method"] == "Page.frameDetached" and params["reason"] == "swap":
        return {(entry.connection, "attached", params["frameId"])}
    return set()
