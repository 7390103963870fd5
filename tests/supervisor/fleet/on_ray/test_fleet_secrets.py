"""What a fleet leaves in Ray: names, logs and tables, none of which has a secret of its endpoint."""

from __future__ import annotations

import json
import os
from pathlib import Path

from cdp_typed.mock import Refused, ThreadedMockServer
from supervisor import Config
from supervisor.fleet import Fleet, Hosts
from supervisor.fleet.on_ray.ray_api import list_named_actors

SECRETS = ("canary-password", "canary-token", "canary-key")


def files_of_ray() -> str:
    texts = [
        path.read_bytes().decode(errors="replace")
        for path in Path(os.environ["RAY_TMPDIR"]).rglob("*")
        if path.is_file() and not path.is_symlink()
    ]
    assert texts
    return "\n".join(texts)


def test_the_secrets_of_an_endpoint_are_in_no_name_no_log_and_no_result(ray_address: str) -> None:
    with ThreadedMockServer() as mock:
        address = f"{mock.url.replace('ws://', 'ws://user:canary-password@')}?token=canary-token"
        config = Config(cdp_url=address, headers={"X-Key": "canary-key"})
        with Fleet(config, hosts=Hosts(tasks=2)) as fleet:
            works = json.loads(fleet.dispatch("browser_navigate", {"url": "data:text/html,x"}, task_id="t1"))
            shown = [str(actor) for actor in list_named_actors(all_namespaces=True)]
            told = [repr(fleet.status()), repr(fleet.tasks()), repr(fleet)]
            mock.next_dials(*[Refused(403)] * 3)
            lost = json.loads(fleet.dispatch("browser_navigate", {"url": "data:text/html,x"}, task_id="t2"))

    assert works["success"], works
    assert not lost["success"]
    everywhere = "\n".join([*shown, *told, json.dumps([works, lost]), files_of_ray()])
    assert [secret for secret in SECRETS if secret in everywhere] == []
