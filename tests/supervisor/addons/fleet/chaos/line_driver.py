"""A program, with the arguments ADDRESS FLEET FENCE_S, that calls tasks as it reads them, for `Caller`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from supervisor.addons.fleet import Fleet, Hosts, Limits


def main() -> None:
    """Answer each line, in order; one without a task asks where the tasks are."""
    address, name, fence_s = sys.argv[1:4]
    fleet = Fleet(
        name=name,
        address=address,
        detached=True,
        toolsets="all",
        hosts=Hosts(least=2, most=3, tasks=1),
        limits=Limits(queue_s=20, fence_s=float(fence_s)),
    )
    write({"ready": True})
    for line in sys.stdin:
        task_id, expression = json.loads(line)
        if not task_id:
            machines = {host.host_id: host.facts.address for host in fleet.status().hosts if host.facts is not None}
            write({task.task_id: machines.get(task.host_id or "") for task in fleet.tasks()})
            continue
        began = time.time()
        answer = json.loads(fleet.dispatch("browser_evaluate", {"expression": expression}, task_id))
        write({**answer, "began": began, "ended": time.time()})


def write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
