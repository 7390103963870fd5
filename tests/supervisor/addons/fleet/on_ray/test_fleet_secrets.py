"""What a fleet leaves in Ray and on its hosts: names, logs, tables, metrics, recordings; none has a secret."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed.mock import Refused, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts, Limits
from supervisor.addons.fleet.on_ray.ray_api import list_named_actors
from supervisor.config import Settings
from tests.supervisor.addons.fleet.running import called, metrics_of_ray
from tests.supervisor.addons.live.test_planted_secrets import PAGE, WAYS, Agent, answer, is_in, secrets_of
from tests.support.servers.sites import Sites

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
            works = called(fleet, "browser_navigate", "t1", url="data:text/html,x")
            shown = [str(actor) for actor in list_named_actors(all_namespaces=True)]
            told = [repr(fleet.status()), repr(fleet.tasks()), repr(fleet)]
            mock.next_dials(*[Refused(403)] * 3)
            lost = called(fleet, "browser_navigate", "t2", url="data:text/html,x")

    assert works["success"], works
    assert not lost["success"]
    everywhere = "\n".join([*shown, *told, json.dumps([works, lost]), files_of_ray()])
    assert [secret for secret in SECRETS if secret in everywhere] == []


@pytest.mark.parametrize("keeps_secrets", [False, True], ids=["left_out", "kept"])
def test_the_secrets_of_pages_are_in_recordings_only_if_asked_for_and_never_in_rays_files_or_metrics(
    ray_address: str, tmp_path: Path, keeps_secrets: bool
) -> None:
    planted = list[str]()

    def noted() -> Iterator[str]:
        for secret in secrets_of():
            planted.append(secret)
            yield secret

    hosts = Hosts(tasks=1, recordings=str(tmp_path))
    settings = Settings(watch_requests=True, call_timeout_s=20, record_secrets=keeps_secrets, record_screenshots=True)
    tools = ["browser", "browser-cdp", "browser-storage"]
    with (
        Sites({"/": PAGE, "/echo": answer, "/set": answer}) as sites,
        Fleet(settings, hosts=hosts, limits=Limits(checkpoint_s=None), toolsets=tools) as fleet,
    ):
        agent, source = Agent(fleet, sites.local("/")), noted()
        agent.call("browser_navigate", url=agent.address)
        for work in WAYS:
            work(agent, source)
        measured = metrics_of_ray()
        fleet.stop()
    recordings = "\n".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    outputs = {"Ray": files_of_ray(), "recordings": recordings, "metrics": measured}

    assert len(planted) > 30
    assert '"browser_fill_form"' in recordings
    assert '"image/jpeg"' in recordings
    found = {name: [secret for secret in planted if is_in(text, secret)] for name, text in outputs.items()}
    assert found == {"Ray": [], "recordings": planted if keeps_secrets else [], "metrics": []}
