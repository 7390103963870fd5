"""The image of `deploy/Dockerfile`, built by buildah and run by crun, both of Debian: no daemon, no registry.

Its base is made by debootstrap. Everything is as Kubernetes runs it: a user without capabilities who cannot get any, a
seccomp profile, a network of its own, which here has only loopback. Needs root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.supervisor.addons.fleet.deploy.manifests import DEPLOY

__all__ = ["Container", "build"]

BASE, IMAGE = "localhost/cdp-typed-base", "localhost/cdp-typed-fleet"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
ARCHITECTURES = {"amd64", "x86_64"}
CGROUP = "mount -t cgroup2 none /sys/fs/cgroup && exec crun --cgroup-manager=disabled"
"""crun does not run where both versions of cgroups are mounted, as on the machines of some CI."""
_STORAGE = {**os.environ, "STORAGE_DRIVER": "vfs"}


def build(folder: Path, context: Path) -> Path:
    """Build the image, from a context with the lock and the wheel; the root of a container of it."""
    system = folder / "system"
    if not (system / "etc" / "debian_version").exists():
        _run("debootstrap", "--variant=minbase", "bookworm", str(system))
    base = _output("buildah", "from", "scratch")
    _run("buildah", "copy", "--quiet", base, str(system), "/")
    _run("buildah", "commit", "--quiet", base, BASE)
    arguments = [f"--build-arg=BASE={BASE}", "--build-arg=FURTHER=python3 python3-venv"]
    trust = [f"--volume={CERTIFICATES}:/opt/ca.crt:ro", "--env=PIP_CERT=/opt/ca.crt"]
    place = ["--layers", "--isolation=chroot", "--network=host", f"--file={DEPLOY / 'Dockerfile'}", f"--tag={IMAGE}"]
    _run("buildah", "bud", "--quiet", *arguments, *trust, *place, str(context))
    return Path(_output("buildah", "mount", _output("buildah", "from", IMAGE)))


class Container:
    """A container of the image under a seccomp profile."""

    def __init__(self, root: Path, bundle: Path, profile: Mapping[str, Any], env: Mapping[str, str]) -> None:
        shutil.rmtree(bundle, ignore_errors=True)
        bundle.mkdir(parents=True)
        self._bundle = bundle
        self._name = f"trial-{os.getpid()}"
        self._running: subprocess.Popen[bytes] | None = None
        image = json.loads(_output("buildah", "inspect", "--type=image", IMAGE))["OCIv1"]["config"]
        self.command: list[str] = [*image["Entrypoint"], *image["Cmd"]]
        user = int(image["User"])
        variables = dict(pair.split("=", 1) for pair in image["Env"])
        self._env = [f"{name}={value}" for name, value in {**variables, "HOME": "/home/fleet", **env}.items()]
        self._run("crun", "spec")
        path = bundle / "config.json"
        config = json.loads(path.read_text())
        config["root"] = {"path": str(root)}
        process = config["process"]
        process.pop("rlimits", None)
        process.update(terminal=False, user={"uid": user, "gid": user}, args=self.command, cwd=image["WorkingDir"])
        process.update(env=self._env, noNewPrivileges=True, capabilities={kind: [] for kind in process["capabilities"]})
        config["mounts"] = [_sized(mount) for mount in config["mounts"] if "cgroup" not in mount["destination"]]
        linux = config["linux"]
        linux.pop("resources", None)
        linux["namespaces"] = [space for space in linux["namespaces"] if space["type"] != "cgroup"]
        linux["seccomp"] = _rules(profile)
        path.write_text(json.dumps(config))
        self._user = f"{user}:{user}"

    def start(self) -> None:
        """Start what the image starts."""
        self._running = subprocess.Popen(self._crun("run", self._name), cwd=self._bundle)

    def play(self, program: str, timeout_s: float) -> str:
        """Run a Python program in it, as its user; what it printed."""
        variables = [part for pair in self._env for part in ("--env", pair)]
        command = self._crun("exec", "--user", self._user, *variables, self._name, "python", "-c", program)
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
        if done.returncode:
            raise AssertionError(f"the program failed: {done.stderr[-3000:]}")
        return done.stdout

    def end(self, within_s: float) -> int:
        """Send SIGTERM to it, and wait; the exit code of Ray."""
        assert self._running is not None
        subprocess.run(self._crun("kill", self._name, "TERM"), check=True)
        return self._running.wait(within_s)

    def close(self) -> None:
        subprocess.run(self._crun("delete", "--force", self._name), check=False, capture_output=True)

    def _crun(self, *arguments: str) -> list[str]:
        return ["unshare", "--mount", "sh", "-c", f'{CGROUP} "$@"', "crun", *arguments]

    def _run(self, *command: str) -> None:
        subprocess.run(command, cwd=self._bundle, check=True)


def _sized(mount: dict[str, Any]) -> dict[str, Any]:
    if mount["destination"] == "/dev/shm":
        mount["options"] = ["size=2g" if option.startswith("size") else option for option in mount["options"]]
    return mount


def _rules(profile: Mapping[str, Any]) -> dict[str, Any]:
    """A profile of container engines for a process without capabilities, as a runtime has it."""
    rules: list[dict[str, Any]] = []
    for rule in profile["syscalls"]:
        included: dict[str, list[str]] = rule.get("includes") or {}
        excluded: dict[str, list[str]] = rule.get("excludes") or {}
        elsewhere = included.get("arches") and not ARCHITECTURES & set(included["arches"])
        if included.get("caps") or elsewhere or ARCHITECTURES & set(excluded.get("arches") or ()):
            continue
        kept = {"names": rule.get("names") or [rule["name"]], "action": rule["action"]}
        if rule.get("args"):
            kept["args"] = rule["args"]
        if "errnoRet" in rule:
            kept["errnoRet"] = rule["errnoRet"]
        rules.append(kept)
    machines = ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"]
    default = {"defaultAction": profile["defaultAction"], "defaultErrnoRet": profile.get("defaultErrnoRet", 1)}
    return {**default, "architectures": machines, "syscalls": rules}


def _run(*command: str) -> None:
    subprocess.run(command, check=True, env=_STORAGE, stdout=subprocess.DEVNULL)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, env=_STORAGE, capture_output=True, text=True).stdout.strip()


def programs_missing(names: Sequence[str]) -> list[str]:
    """Those of the programs that are not on this machine."""
    return [name for name in names if shutil.which(name) is None]
