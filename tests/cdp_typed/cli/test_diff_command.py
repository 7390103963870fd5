"""`diff`: files and browsers against the bindings, and an exit code for CI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_typed import PROTOCOL
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.schema import schema_bytes
from tests.cdp_typed.cli.conftest import Run, refused

AGAINST = f"devtools-protocol {PROTOCOL.version}"


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """The bindings' schema with one stable command more, and one experimental event parameter less."""
    schema: dict[str, Any] = json.loads(schema_bytes())
    page = next(domain for domain in schema["domains"] if domain["domain"] == "Page")
    page["commands"].append({"name": "fly"})
    event = next(item for item in page["events"] if item["name"] == "frameDetached")
    event["parameters"] = [parameter for parameter in event["parameters"] if parameter["name"] != "reason"]
    path = tmp_path / "protocol.json"
    path.write_text(json.dumps(schema))
    return path


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"<html>", "no protocol schema: JSON is malformed: invalid character (byte 0)"),
        (b"{}", "no protocol schema: Object missing required field `domains`"),
    ],
)
def test_a_file_that_is_no_schema_is_2(run: Run, tmp_path: Path, text: bytes, complaint: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(text)

    assert run("diff", str(path)) == refused(f"{path}: {complaint}")


def test_a_file_that_is_not_there_is_2(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "missing.json"

    assert run("diff", str(path)) == refused(f"{path}: No such file or directory")
    (tmp_path / "folder.json").mkdir()
    assert run("diff", str(tmp_path / "folder.json")) == refused(f"{tmp_path / 'folder.json'}: Is a directory")
    assert run("diff", "x" * 5000).code == 2


def test_no_difference_is_0(run: Run, mock: ThreadedMockServer, tmp_path: Path) -> None:
    path = tmp_path / "same"
    path.write_bytes(schema_bytes())

    for source in (mock.http_url, mock.url, mock.address, str(path)):
        assert run("diff", source) == (0, f"no differences from {AGAINST}\n", "")
    assert run("diff", mock.http_url, "--json") == (0, "[]\n", "")


def test_differences_are_1_one_line_each(run: Run, changed: Path) -> None:
    assert run("diff", str(changed)) == (
        1,
        "added    command    Page.fly\n"
        "removed  parameter  Page.frameDetached.reason  enum (experimental)\n"
        f"2 differences from {AGAINST}, 1 of them experimental\n",
        "",
    )


def test_what_is_experimental_can_be_left_out(run: Run, changed: Path) -> None:
    code, out, _ = run("diff", str(changed), "--stable", "--json")

    assert code == 1
    assert json.loads(out) == [
        {"level": "command", "change": "added", "name": "Page.fly", "detail": "", "experimental": False}
    ]


@pytest.mark.parametrize("directory", [False, True])
def test_chromium_is_compared(run: Run, chromium: LaunchedBrowser, tmp_path: Path, directory: bool) -> None:
    """By its address, or by the directory in which it wrote what it listens on."""
    address = urlsplit(chromium.ws_url)
    (tmp_path / "DevToolsActivePort").write_text(f"{address.port}\n{address.path}")

    code, out, err = run("diff", str(tmp_path) if directory else chromium.ws_url, "--json")

    assert (code, err) == (1 if json.loads(out) else 0, "")
    assert all(
        set(difference) == {"level", "change", "name", "detail", "experimental"} for difference in json.loads(out)
    )
