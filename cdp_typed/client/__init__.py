"""The asyncio client: one reader task, futures for calls, subscriptions for events."""

from cdp_typed.client.connection import Connection

__all__ = ["Connection"]
