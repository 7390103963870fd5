"""What `deploy/` says is what the code asks for: resources, times, ports, users, versions."""

from __future__ import annotations

import argparse
import re
from typing import Any

import pytest
from ray._private import ray_constants
from ray.autoscaler._private.kuberay import autoscaling_config

from supervisor.addons.fleet import Hosts, Limits
from supervisor.addons.fleet.commands.mcp_sessions import add_sessions
from supervisor.addons.fleet.placement.leaving_nodes import MOVING_S
from tests.supervisor.addons.fleet.deploy.manifests import (
    DEPLOY,
    container_of,
    env_of_image,
    groups,
    ray_cluster,
    read_all,
)
from tests.support.wheels import ROOT

DRAIN = "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S"
EMPTY_BROWSER, EMPTY_PAGE = 300 * 2**20, 19 * 2**20
"""As docs/fleet.md has them."""
BY_NAME: dict[str, dict[str, Any]] = {
    f"{each['kind']}/{each['metadata']['name']}": each for each in (*read_all("network.yaml"), ray_cluster())
}
CLUSTER_LABELS = {"ray.io/cluster": ray_cluster()["metadata"]["name"]}


def node_types() -> dict[str, Any]:
    """The kinds of nodes as Ray's own autoscaler reads them from the RayCluster."""
    derive: Any = autoscaling_config
    types: dict[str, Any] = derive._derive_autoscaling_config_from_ray_cr(ray_cluster())["available_node_types"]
    return types


def test_a_worker_offers_what_a_host_asks_for_and_the_head_does_not() -> None:
    offered = {name: kind["resources"] for name, kind in node_types().items()}

    for name, asked in Hosts().resources.items():
        assert offered["browsers"][name] >= asked
        assert name not in offered["headgroup"]


def test_a_worker_has_the_memory_of_its_hosts() -> None:
    worker = node_types()["browsers"]["resources"]
    needed = EMPTY_BROWSER + Hosts().tasks * EMPTY_PAGE

    assert worker["memory"] >= worker["browser"] * needed * 3  # pages that are not empty


@pytest.mark.parametrize("group", groups(), ids=lambda group: group.get("groupName", "head"))
def test_a_pod_lives_long_enough_to_give_its_tasks_away(group: dict[str, Any]) -> None:
    own = {each["name"]: each.get("value") for each in container_of(group).get("env", ())}
    drain_s = float(own.get(DRAIN, env_of_image()[DRAIN]))
    grace_s = group["template"]["spec"]["terminationGracePeriodSeconds"]

    assert Limits().drain_s + MOVING_S <= drain_s
    assert drain_s + 15 <= grace_s  # for Ray to end


@pytest.mark.parametrize("group", groups(), ids=lambda group: group.get("groupName", "head"))
def test_a_pod_runs_as_the_user_of_the_image_with_no_further_rights(group: dict[str, Any]) -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    pod = group["template"]["spec"]

    assert re.findall(r"^USER (.*)$", dockerfile, re.MULTILINE) == [str(pod["securityContext"]["runAsUser"])]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container_of(group)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_settings_of_the_page_agree_with_the_manifest() -> None:
    page = (ROOT / "docs" / "fleet.md").read_text("utf-8").partition("## Deploying a fleet")[2]
    settings: dict[str, Any] = {}
    (example,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(compile(example, "fleet.md", "exec"), settings)
    hosts, limits, (_, workers) = settings["hosts"], settings["limits"], groups()
    browsers = int(node_types()["browsers"]["resources"]["browser"])

    assert hosts.least == workers["minReplicas"] * browsers
    assert hosts.most == workers["maxReplicas"] * browsers
    assert limits.checkpoints in {mount["mountPath"] for mount in container_of(workers)["volumeMounts"]}
    assert f"`drain_s` + {MOVING_S:g} ≤ `{DRAIN}` ({env_of_image()[DRAIN]})" in page


def test_ports_are_those_of_ray() -> None:
    named: dict[str, int] = {}
    for group in groups():
        named = {port["name"]: port["containerPort"] for port in container_of(group)["ports"]}
        assert named["metrics"] == int(group["rayStartParams"]["metrics-export-port"])
        assert named.get("gcs", ray_constants.DEFAULT_PORT) == ray_constants.DEFAULT_PORT
        for probe in ("readinessProbe", "livenessProbe"):
            assert container_of(group)[probe]["httpGet"]["port"] == ray_constants.DEFAULT_DASHBOARD_AGENT_LISTEN_PORT
    _, monitoring = BY_NAME["NetworkPolicy/fleet"]["spec"]["ingress"]
    assert monitoring["ports"] == [{"port": named["metrics"]}]


def test_a_driver_joins_the_cluster_and_is_reached_where_it_says() -> None:
    driver, service, policy = read_all("mcp.yaml")
    cluster, (_, workers) = ray_cluster()["metadata"], groups()
    (container,) = driver["spec"]["template"]["spec"]["containers"]
    join, program = container["args"][-1].split(" && exec cdp-agent fleet mcp ")
    parser = argparse.ArgumentParser()
    add_sessions(parser)
    options = parser.parse_args(program.split())
    name, labels = service["metadata"]["name"], driver["spec"]["template"]["metadata"]["labels"]
    secrets = {each["name"]: each["valueFrom"]["secretKeyRef"] for each in container["env"]}
    (port,) = container["ports"]

    assert f"--address={cluster['name']}-head-svc:{ray_constants.DEFAULT_PORT} " in join
    assert secrets["RAY_AUTH_TOKEN"] == {"name": cluster["name"], "key": "auth_token"}
    assert options.max_hosts == workers["maxReplicas"] * node_types()["browsers"]["resources"]["browser"]
    assert container["startupProbe"]["exec"]["command"] == [
        *("cdp-agent", "fleet", "status", "--check", f"--name={options.name}", f"--address={options.address}")
    ]
    assert options.allow_host == [name, f"{name}.{cluster['namespace']}"]
    assert port == {"name": service["spec"]["ports"][0]["targetPort"], "containerPort": options.http}
    assert service["spec"]["ports"][0]["port"] == policy["spec"]["ingress"][1]["ports"][0]["port"] == options.http
    assert labels.items() >= {**service["spec"]["selector"], **policy["spec"]["podSelector"]["matchLabels"]}.items()
    assert labels["fleet-driver"] == "true"


def test_the_version_of_ray_is_that_of_the_lock() -> None:
    locked = re.findall(r"^ray==(\S+)", (ROOT / "locks" / "fleet.txt").read_text("utf-8"), re.MULTILINE)

    assert [ray_cluster()["spec"]["rayVersion"]] == locked


def test_policies_select_the_pods_of_the_cluster() -> None:
    for name, manifest in BY_NAME.items():
        kind = name.partition("/")[0]
        if kind in ("NetworkPolicy", "PodDisruptionBudget"):
            selector = manifest["spec"]["podSelector" if kind == "NetworkPolicy" else "selector"]
            assert selector["matchLabels"].items() >= CLUSTER_LABELS.items()
        assert manifest["metadata"]["namespace"] == ray_cluster()["metadata"]["namespace"]


def test_volumes_that_pods_mount_exist() -> None:
    for group in groups():
        volumes = {volume["name"]: volume for volume in group["template"]["spec"].get("volumes", ())}
        assert {mount["name"] for mount in container_of(group).get("volumeMounts", ())} == set(volumes)
        for volume in volumes.values():
            claim = volume.get("persistentVolumeClaim")
            assert claim is None or f"PersistentVolumeClaim/{claim['claimName']}" in BY_NAME


def test_nothing_turns_the_sandbox_off() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    lines = [line for line in dockerfile.splitlines() if not line.startswith("#")]

    assert not any("no-sandbox" in line for line in lines)
    assert not any("privileged" in str(container_of(group)) for group in groups())


def test_the_image_is_built_from_the_files_that_it_copies_and_from_no_others() -> None:
    copied = re.findall(r"^COPY (\S+) ", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    lines = [line for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if not line.startswith("#")]

    assert lines[0] == "*"
    assert sorted(lines[1:]) == sorted(f"!{source}" for source in copied)
