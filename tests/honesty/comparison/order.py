"""The order that Chromium guarantees between lanes."""

from __future__ import annotations

from tests.honesty.player import Entry, Params, Trace


def disorder(trace: Trace) -> list[str]:
    """Return the messages that came too early; normally none.

    A dialog is closed before its answerer gets the reply, a session is announced before the call that attached it is
    answered, and before its frame leaves the process of its parent.
    """
    problems: list[str] = []
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
                problems.append(f"the reply {message} came before {needed}")
        else:
            told = _told(entry)
            if not left.isdisjoint(told):
                problems.append(f"a frame left its parent's process before {message}")
            left |= _leaves(entry)
            heard |= told
    return problems


def _told(entry: Entry) -> set[tuple[str, str, str]]:
    """Return the facts that this event announces on its connection."""
    message = entry.message
    if message["method"] == "Target.attachedToTarget":
        params = message["params"]
        ids = (params["sessionId"], params["targetInfo"]["targetId"])
        return {(entry.connection, "attached", target_or_session) for target_or_session in ids}
    if message["method"] == "Page.javascriptDialogClosed":
        return {(entry.connection, "closed", message.get("sessionId", ""))}
    return set()


def _before_reply(entry: Entry, call: Params) -> tuple[str, str, str] | None:
    """Return the fact that has to be announced before this reply, or None."""
    if "result" not in entry.message:
        return None
    if call["method"] == "Page.handleJavaScriptDialog":
        return entry.connection, "closed", call.get("sessionId", "")
    if call["method"] == "Target.attachToTarget":
        return entry.connection, "attached", entry.message["result"]["sessionId"]
    return None


def _leaves(entry: Entry) -> set[tuple[str, str, str]]:
    """Return the facts that this event forbids to announce later."""
    params = entry.message["params"]
    if entry.message["method"] == "Page.frameDetached" and params["reason"] == "swap":
        return {(entry.connection, "attached", params["frameId"])}
    return set()
