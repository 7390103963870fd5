"""Checks `deploy/`: schemas, a linter, and the image, built and tried.

    python -m tests.supervisor.addons.fleet.deploy BIN FOLDER

`BIN` has the programs of tests/supervisor/addons/fleet/deploy/requirements.txt; the image is made in FOLDER.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.supervisor.addons.fleet.deploy.container import Container, build, programs_missing
from tests.supervisor.addons.fleet.deploy.manifests import DEPLOY
from tests.support.wheels import ROOT, build_wheel

NEEDED = ("debootstrap", "buildah", "crun")
DEFAULT_PROFILE = Path("/usr/share/containers/seccomp.json")
TOKEN = {"RAY_AUTH_TOKEN": "5" * 64}
READY_S, TRIAL_S, END_S = 60.0, 120.0, 120.0
READY = 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:52365/api/local_raylet_healthz").read())'
TRIAL = Path(__file__).with_name("trial.py")


def main() -> None:
    """Do all of it; the exit code is 1 at the first thing that is not right."""
    programs, folder = Path(sys.argv[1]), Path(sys.argv[2]).absolute()
    files = map(str, (*DEPLOY.glob("*.yaml"), *DEPLOY.glob("*.json")))
    _say("manifests", _output(str(programs / "python"), "tests/supervisor/addons/fleet/deploy/schemas.py", *files))
    _say("Dockerfile", _output(str(programs / "hadolint"), str(DEPLOY / "Dockerfile")) or "hadolint has nothing to say")
    if missing := programs_missing(NEEDED):
        sys.exit(f"the image was not tried: {', '.join(missing)} not found")
    default = json.loads(DEFAULT_PROFILE.read_text())
    made = _output(sys.executable, str(DEPLOY / "seccomp.py"), stdin=json.dumps(_strict(default)))
    root = build(folder, _context(folder / "context"))
    _say("image", "built by buildah from deploy/Dockerfile")
    _say("without user namespaces", _tried(root, folder, _strict(default), starts=False))
    _say("with the profile of deploy/seccomp.py", _tried(root, folder, json.loads(made), starts=True))


def _context(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "locks").mkdir(parents=True)
    shutil.copy(ROOT / "locks" / "fleet.txt", folder / "locks")
    build_wheel(folder / "dist")
    return folder


def _strict(profile: dict[str, Any]) -> dict[str, Any]:
    """The profile without user namespaces, as Docker has it. Podman's allows them."""
    refused = {"clone", "clone3", "setns", "unshare"}
    kept = [{**rule, "names": [name for name in rule["names"] if name not in refused]} for rule in profile["syscalls"]]
    # Threads and ordinary processes: `clone` without a flag that makes a namespace.
    plain = {"index": 0, "value": 0x7E020000, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    own = [
        {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [plain]},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
    ]
    return {**profile, "syscalls": [*own, *(rule for rule in kept if rule["names"])]}


def _tried(root: Path, folder: Path, profile: dict[str, Any], *, starts: bool) -> str:
    """Start what the image starts, and a page in a fleet there; end it with SIGTERM."""
    shutil.rmtree(root / "tmp", ignore_errors=True)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    container = Container(root, folder / "bundle", profile, TOKEN)
    container.start()
    try:
        _wait_until_ready(container)
        seen = json.loads(container.play(TRIAL.read_text(), TRIAL_S).splitlines()[-1])
        assert seen["uid"] != 0, seen
        assert starts == (seen["error"] == ""), seen
        assert not starts or (seen["title"] == "a page" and seen["renderers"] > 0 and seen["letters"] == 6), seen
        assert seen["outside_the_sandbox"] == [], seen
        began = time.monotonic()
        container.end(END_S)
        return f"{seen}; ended {time.monotonic() - began:.0f} s after SIGTERM"
    finally:
        container.close()


def _wait_until_ready(container: Container) -> None:
    give_up = time.monotonic() + READY_S
    while True:
        try:
            container.play(READY, READY_S)
            return
        except AssertionError:
            if time.monotonic() > give_up:
                raise
            time.sleep(1)


def _output(*command: str, stdin: str | None = None) -> str:
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command[:2])}: {done.stdout}{done.stderr}")
    return done.stdout


def _say(about: str, text: str) -> None:
    sys.stdout.write(f"{about}:\n{text.rstrip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
