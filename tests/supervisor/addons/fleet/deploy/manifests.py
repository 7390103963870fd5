"""The files of `deploy/`, read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from tests.support.wheels import ROOT

__all__ = ["DEPLOY", "container_of", "env_of_image", "groups", "ray_cluster", "read_all"]

DEPLOY: Path = ROOT / "deploy"


def read_all(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text("utf-8")))


def ray_cluster() -> dict[str, Any]:
    (found,) = read_all("raycluster.yaml")
    return found


def groups() -> list[dict[str, Any]]:
    """The head and the groups of workers."""
    spec = ray_cluster()["spec"]
    return [spec["headGroupSpec"], *spec["workerGroupSpecs"]]


def container_of(group: dict[str, Any]) -> dict[str, Any]:
    """The container of Ray in a pod of the group."""
    containers: list[dict[str, Any]] = group["template"]["spec"]["containers"]
    (container,) = containers
    return container


def env_of_image() -> dict[str, str]:
    """The environment that the Dockerfile sets."""
    text = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines: list[str] = re.findall(r"^ENV (.*)$", text, re.MULTILINE)
    values: dict[str, str] = {}
    for pair in " ".join(lines).split():
        name, _, values[name] = pair.partition("=")
    return values
