"""The exit code for an error: the same for the commands of a session and for those that need none."""

from __future__ import annotations

from cdp_agent import DIALOG, LOST, POLICY, REFUSED, UNSURE, USAGE, NoAnswer
from cdp_typed.cli.arguments import UsageError
from cdp_typed.errors import CDPError

_POLICY = frozenset({"PolicyRefused", "Refused"})
_DIALOG = frozenset({"BlockedByDialog", "DialogUnanswerable"})
_LOST = frozenset(
    {
        "BrowserReplaced", "CallLost", "ConnectionLost", "EndpointError", "FleetStopped", "LaunchError", "NoSuchFleet",
        "NotABrowser", "NotRunning", "TargetCrashed",
    }
)  # fmt: skip
_USAGE = frozenset({"InvalidArgument", "InvalidConfig", "ToolUnavailable", "UnknownTool"})
_UNSURE = frozenset(
    {"AnswerTimeout", "CallTimeout", "CommandTimeout", "EventTimeout", "NotYet", "RollStopped", "TimeoutError"}
)


class Failed(Exception):
    """The command failed; the message gives the reason, on one line."""

    def __init__(self, message: str, code: int = REFUSED) -> None:
        super().__init__(message)
        self.code = code


def code_of_kind(kind: str, *, maybe_executed: bool) -> int:
    """The exit code for an error whose type has this name."""
    for code, kinds in ((POLICY, _POLICY), (DIALOG, _DIALOG), (LOST, _LOST), (USAGE, _USAGE), (UNSURE, _UNSURE)):
        if kind in kinds:
            return code
    return UNSURE if maybe_executed else REFUSED


def code_of_error(error: Exception) -> int | None:
    """The exit code for an exception; None for one that is a bug of the program."""
    match error:
        case Failed(code=code) | NoAnswer(code=code):
            return code
        case UsageError():
            return USAGE
        case CDPError():
            return code_of_kind(type(error).__name__, maybe_executed=bool(getattr(error, "maybe_executed", False)))
        case _:
            return None
