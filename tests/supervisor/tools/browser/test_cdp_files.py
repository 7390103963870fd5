"""The files of the browser's machine are the policy's, also for raw commands: all of the protocol that takes a path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.load import JSON_FILES, SCHEMA
from supervisor.tools import Policy, PolicyRefused
from supervisor.tools.raw_commands.checks import check
from tests.supervisor.tools.conftest import MakeBox, calls
from tests.support.stages.stage_names import REAL_STAGES
from tests.support.stages.stages import Stage

Raw = dict[str, Any]
DOMAINS: dict[str, Raw] = {
    domain["domain"]: domain
    for name in JSON_FILES
    for domain in json.loads((SCHEMA / name).read_text("utf-8"))["domains"]
}
TYPES: dict[str, Raw] = {
    f"{name}.{kind['id']}": kind for name, domain in DOMAINS.items() for kind in domain.get("types", [])
}
WORDS = re.compile(r"file|path|director|folder|disk|bundle", re.IGNORECASE)

PATHS: dict[str, Raw] = {
    "Browser.setDownloadBehavior.downloadPath": {"behavior": "allow", "downloadPath": "/etc"},
    "DOM.setFileInputFiles.files": {"files": ["/srv/a", "/etc/passwd"], "nodeId": 1},
    "Extensions.loadUnpacked.path": {"path": "/etc"},
    "Input.dispatchDragEvent.data.files": {
        "type": "drop",
        "x": 1,
        "y": 1,
        "data": {"items": [], "files": ["/srv/../etc/passwd"], "dragOperationsMask": 1},
    },
    "PWA.launchFilesInApp.files": {"manifestId": "x", "files": ["/etc/passwd"]},
    "Page.setDownloadBehavior.downloadPath": {"behavior": "allow", "downloadPath": "/etc"},
}
"""Every parameter of the protocol that holds a path of the browser's machine, and a command that uses it."""

NO_PATHS = {
    "Browser.setDownloadBehavior.behavior", "CacheStorage.requestEntries.pathFilter", "DOM.performSearch.query",
    "DOM.pushNodeByPathToFrontend.path", "FileSystem.getDirectory.bucketFileSystemLocator",
    "FileSystem.getDirectory.bucketFileSystemLocator.pathComponents", "Network.deleteCookies.path",
    "Network.deleteCookies.url", "Network.setCookie.path", "Network.setCookie.url", "Network.setCookies.cookies.path",
    "Network.setCookies.cookies.url", "PWA.getOsAppState.manifestId", "PWA.install.installUrlOrBundleUrl",
    "Page.deleteCookie.url", "Storage.setCookies.cookies.path", "Storage.setCookies.cookies.url",
    "Target.openDevTools.panelId",
}  # fmt: skip
"""Looked at: they speak of paths, files or bundles, and hold none (the bundle's is an address, asked about as such)."""


def mentioned() -> set[str]:
    """Every parameter of a command, at any depth, whose name or description speaks of files."""
    return {
        f"{name}.{command['name']}.{trail}"
        for name, domain in DOMAINS.items()
        for command in domain.get("commands", [])
        for trail in speaking(name, command.get("parameters", []), frozenset())
    }


def speaking(domain: str, parameters: list[Raw], above: frozenset[str]) -> Iterator[str]:
    for parameter in parameters:
        ref: str | None = parameter.get("$ref") or parameter.get("items", {}).get("$ref")
        kind: Raw = parameter
        if ref is not None:
            ref = ref if "." in ref else f"{domain}.{ref}"
            kind = TYPES[ref]
        may_hold_text = kind["type"] in ("string", "array", "object", "any")
        if may_hold_text and WORDS.search(f"{parameter['name']} {parameter.get('description', '')}"):
            yield parameter["name"]
        if ref is not None and ref not in above:
            inner = speaking(ref.partition(".")[0], kind.get("properties", []), above | {ref})
            yield from (f"{parameter['name']}.{trail}" for trail in inner)


def test_no_parameter_that_speaks_of_files_has_not_been_looked_at() -> None:
    """A new schema that brings one fails here, until it is in one of the two lists."""
    assert mentioned() == PATHS.keys() | NO_PATHS


@pytest.mark.parametrize("parameter", PATHS)
def test_a_path_that_is_not_allowed_is_refused(parameter: str) -> None:
    method = ".".join(parameter.split(".")[:2])
    params = PATHS[parameter]
    allowed = json.loads(json.dumps(params).replace("/etc", "/srv").replace("/..", ""))
    policy = Policy(allow_files=("/srv/*",))

    check(method, params, Policy())
    check(method, allowed, policy)
    with pytest.raises(PolicyRefused, match="the file is not among those allowed"):
        check(method, params, policy)
    with pytest.raises(PolicyRefused):
        check("Target.sendMessageToTarget", {"message": json.dumps({"method": method, "params": params})}, policy)


@pytest.mark.parametrize("method", ["Page.handleFileChooser", "Later.openFolder"])
def test_a_path_of_a_command_that_the_bindings_do_not_know_is_asked_about(method: str) -> None:
    for name in ("files", "file", "path", "targetPath", "directory"):
        with pytest.raises(PolicyRefused):
            check(method, {name: "/etc/passwd"}, Policy(allow_files=("/srv/*",)))


def test_what_is_no_file_is_not_asked_about() -> None:
    policy = Policy(allow_files=())
    commands: list[tuple[str, Raw]] = [
        ("Network.setCookie", {"name": "a", "value": "b", "path": "/"}),
        ("Network.deleteCookies", {"name": "a", "path": "/"}),
        ("Storage.setCookies", {"cookies": [{"name": "a", "value": "b", "path": "/"}]}),
        ("DOM.pushNodeByPathToFrontend", {"path": "1,HTML"}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "arguments": [{"value": {"files": ["/x"]}}]}),
        ("Browser.setDownloadBehavior", {"behavior": "deny"}),
    ]
    for method, params in commands:
        check(method, params, policy)


def test_a_page_cannot_be_given_the_commands_themselves() -> None:
    with pytest.raises(PolicyRefused):
        check("Target.exposeDevToolsProtocol", {"targetId": "x"}, Policy(allow_files=()))


@pytest.mark.parametrize("shared_stage", REAL_STAGES, indirect=True)
def test_a_page_gets_no_file_by_a_raw_command(stage: Stage, make_box: MakeBox, tmp_path: Path) -> None:
    for name in ("theirs", "ours"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.txt").write_text(name)
    call = calls(make_box(stage, Policy(allow_files=(f"{tmp_path}/ours/*",))))
    call("browser_evaluate", expression="document.body.innerHTML = '<input type=file>'")
    selected = {"expression": "document.querySelector('input')"}
    node = call("browser_cdp", method="Runtime.evaluate", params=selected)["result"]["result"]["objectId"]

    told: list[tuple[str, object]] = []
    for name in ("theirs", "ours"):
        given = {"files": [f"{tmp_path}/{name}/file.txt"], "objectId": node}
        answer = call("browser_cdp", method="DOM.setFileInputFiles", params=given)
        count = call("browser_evaluate", expression="document.querySelector('input').files.length")["value"]
        told.append((answer.get("error_type", ""), count))

    assert told == [("Refused", 0), ("", 1)]
