"""A supervisor for LLM agents: dialogs never hang a call, cross-origin iframes are as reachable as the top page."""

from cdp_typed.errors import CalledFromLoopThread

from .aio import AsyncSupervisor
from .config import Config, Settings
from .core.errors import (
    AmbiguousDialog,
    BlockedByDialog,
    CallError,
    CallTimeout,
    DialogAlreadyClosed,
    DialogBeingAnswered,
    DialogError,
    DialogUnanswerable,
    EvaluationFailed,
    FrameGone,
    InvalidConfig,
    NavigationInterrupted,
    NoDialogOpen,
    NoPage,
    NotRunning,
    SupervisorError,
    UnknownDialog,
    UnknownFrame,
)
from .core.values import (
    ClosedBy,
    ConsoleMessage,
    DialogAction,
    DialogPolicy,
    DialogReceipt,
    DialogRecord,
    Evaluation,
    FrameInfo,
    FrameTree,
    PageInfo,
    PendingDialog,
    SupervisorSnapshot,
)
from .facade import CDPSupervisor
from .registry import SUPERVISOR_REGISTRY, SupervisorRegistry
from .status import Status

__all__ = [
    "SUPERVISOR_REGISTRY",
    "AmbiguousDialog",
    "AsyncSupervisor",
    "BlockedByDialog",
    "CDPSupervisor",
    "CallError",
    "CallTimeout",
    "CalledFromLoopThread",
    "ClosedBy",
    "Config",
    "ConsoleMessage",
    "DialogAction",
    "DialogAlreadyClosed",
    "DialogBeingAnswered",
    "DialogError",
    "DialogPolicy",
    "DialogReceipt",
    "DialogRecord",
    "DialogUnanswerable",
    "Evaluation",
    "EvaluationFailed",
    "FrameGone",
    "FrameInfo",
    "FrameTree",
    "InvalidConfig",
    "NavigationInterrupted",
    "NoDialogOpen",
    "NoPage",
    "NotRunning",
    "PageInfo",
    "PendingDialog",
    "Settings",
    "Status",
    "SupervisorError",
    "SupervisorRegistry",
    "SupervisorSnapshot",
    "UnknownDialog",
    "UnknownFrame",
]
