"""The nodes of the cluster that are about to go, as Ray knows them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ray._private import state
from ray.exceptions import RayError

_state: Any = state


class RayNodes:
    """See `Nodes`. Ray counts a node as one that will go after `ray drain-node`, and after SIGTERM to its `ray start
    --block`, until it has gone."""

    async def leaving(self) -> Mapping[str, float | None]:
        """See `Nodes`."""
        try:
            found: Mapping[str, int] = await asyncio.to_thread(_state.state.get_draining_nodes)
        except (RayError, RuntimeError):  # its control store does not answer
            return {}
        return {node_id: at_ms / 1000 if at_ms else None for node_id, at_ms in found.items()}
