"""The client for programs that are not async: the same names, each waiting on the loop thread that does the work."""

from cdp_typed.sync.channel import SyncChannel
from cdp_typed.sync.connection import SyncConnection, connect_sync
from cdp_typed.sync.session import SyncAutoAttach, SyncRefusal, SyncSession
from cdp_typed.sync.streams import SyncEventStream, SyncExpectation
from cdp_typed.sync.subscriptions import SyncSubscription, SyncTap

__all__ = [
    "SyncAutoAttach",
    "SyncChannel",
    "SyncConnection",
    "SyncEventStream",
    "SyncExpectation",
    "SyncRefusal",
    "SyncSession",
    "SyncSubscription",
    "SyncTap",
    "connect_sync",
]
