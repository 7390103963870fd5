"""`DevToolsActivePort`, as browsers leave it and as they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_typed.endpoint.devtools_active_port import read_port_file


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9222",
        "9222\n",
        "9222\n/devtools/page/x\n",
        "9222\n/devtools/browser/x y",
        "port\n/devtools/browser/x",
        "999999\n/devtools/browser/x",
    ],
)
def test_a_file_that_is_not_whole_is_no_browser(tmp_path: Path, text: str) -> None:
    (tmp_path / "DevToolsActivePort").write_text(text)

    for path in (tmp_path, tmp_path / "none", tmp_path / "DevToolsActivePort" / "below"):
        assert read_port_file(path) is None


@pytest.mark.parametrize("end", ["", "\n"])
def test_port_and_path_are_read_from_the_folder_or_the_file(tmp_path: Path, end: str) -> None:
    file = tmp_path / "DevToolsActivePort"
    file.write_text(f"9222\n/devtools/browser/0a1b{end}")

    assert [read_port_file(tmp_path), read_port_file(file)] == [(9222, "/devtools/browser/0a1b")] * 2
