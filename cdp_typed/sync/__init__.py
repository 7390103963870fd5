"""The blocking client: the same names, with methods that wait for the async client on the loop thread."""

from cdp_typed.sync.client import SyncAutoAttach, SyncChannel, SyncConnection, SyncSession, SyncSetupFailure
from cdp_typed.sync.connect import connect_sync
from cdp_typed.sync.streams import SyncEventStream, SyncExpectation
from cdp_typed.sync.subscriptions import SyncSubscription, SyncTap

__all__ = [
    "SyncAutoAttach",
    "SyncChannel",
    "SyncConnection",
    "SyncEventStream",
    "SyncExpectation",
    "SyncSession",
    "SyncSetupFailure",
    "SyncSubscription",
    "SyncTap",
    "connect_sync",
]
