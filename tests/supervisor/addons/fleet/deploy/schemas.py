"""Holds the files of `deploy/` against the published schemas of Kubernetes and the grammar of Prometheus.

    PYTHON tests/supervisor/addons/fleet/deploy/schemas.py deploy/*.yaml deploy/*.json

The Python is one that has `kubernetes-validate` and `promql-parser`. No package has the schemas of operators: of a
RayCluster the pods are checked, and its own fields by their names, as KubeRay's reference has them
(https://docs.ray.io/en/latest/cluster/kubernetes/references/api.html). Of alert rules and a dashboard each expression
is parsed, as Prometheus's `promtool` does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import promql_parser
import yaml

VERSION = "1.36"
SPEC = {
    "authOptions",
    "autoscalerOptions",
    "enableInTreeAutoscaling",
    "headGroupSpec",
    "rayVersion",
    "workerGroupSpecs",
}
GROUP = {"groupName", "maxReplicas", "minReplicas", "rayStartParams", "replicas", "template"}
AUTOSCALER = {"idleTimeoutSeconds", "resources", "upscalingMode"}
RULE = {"alert", "annotations", "expr", "for"}


def checked(manifest: dict[str, Any]) -> Iterator[str]:
    """What was checked of a manifest. Raises `ValidationError` and `ValueError`."""
    if manifest.get("kind", "dashboard") in ("PrometheusRule", "dashboard"):
        for rule in manifest.get("spec", {}).get("groups", [{"rules": []}])[0]["rules"]:
            _check_names(rule, RULE)
            promql_parser.parse_duration(rule.get("for", "1m"))
        parsed = [promql_parser.parse(text) for text in _expressions(manifest)]
        yield f"{manifest.get('kind', 'dashboard')}: {len(parsed)} expressions parsed"
        return
    kind, name = manifest["kind"], manifest["metadata"]["name"]
    if kind != "RayCluster":
        yield f"{kind} {name}: schema of Kubernetes {kubernetes_validate.validate(manifest, VERSION, strict=True)}"
        return
    spec = manifest["spec"]
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    _check_names(spec, SPEC)
    _check_names(spec["autoscalerOptions"], AUTOSCALER)
    for group in groups:
        _check_names(group, GROUP)
        if not all(isinstance(value, str) for value in group["rayStartParams"].values()):
            raise ValueError("rayStartParams that are no texts")
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": group["template"]["spec"]}
        version = kubernetes_validate.validate(pod, VERSION, strict=True)
        yield f"pods of {kind} {name}/{group.get('groupName', 'head')}: schema of Kubernetes {version}"
    yield f"{kind} {name}: names of its own fields only"


def _expressions(part: Any) -> Iterator[str]:
    """All texts under the name `expr`, however deep."""
    if isinstance(part, dict):
        if "expr" in part:
            yield part["expr"]
        part = list(part.values())
    for each in part if isinstance(part, list) else ():
        yield from _expressions(each)


def _check_names(given: dict[str, Any], known: set[str]) -> None:
    if set(given) - known:
        raise ValueError(f"unknown fields: {sorted(set(given) - known)}")


def main() -> None:
    """Check the files, and say of each manifest what was checked."""
    for path in sys.argv[1:]:
        for manifest in yaml.safe_load_all(Path(path).read_text("utf-8")):
            for line in checked(manifest):
                sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
