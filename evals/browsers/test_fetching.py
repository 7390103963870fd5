"""Browsers are fetched once, and only with the pinned digest."""

from __future__ import annotations

import base64
import hashlib
import shlex
import tarfile
from pathlib import Path

import pytest

from evals.browsers.catalogue import Browser, Npm
from evals.browsers.fetching import FetchError, executable


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package that `npm pack` gives for any name. Browsers are kept in the folder `kept` beside it."""
    programs, content = tmp_path / "programs", tmp_path / "content"
    programs.mkdir()
    content.mkdir()
    (programs / "npm").write_text(f"#!/bin/sh\ncp {shlex.quote(str(tmp_path))}/package.tgz .\n")
    (programs / "npm").chmod(0o755)
    (content / "tool").write_text("#!/bin/sh\n")
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        archive.add(content, "package")
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("CDP_TYPED_BROWSERS", str(tmp_path / "kept"))
    return tmp_path / "package.tgz"


def pinned(content: bytes) -> Browser:
    sha512 = base64.b64encode(hashlib.sha512(content).digest()).decode()
    return Browser("tool", "Tool", "1", "chrome", Npm("tool@1.0.0", sha512, "tool"))


def test_a_browser_is_unpacked_and_kept(package: Path) -> None:
    tool = pinned(package.read_bytes())

    fetched = executable(tool)
    package.unlink()

    assert fetched.read_text() == "#!/bin/sh\n"
    assert fetched.stat().st_mode & 0o111
    assert executable(tool) == fetched


def test_another_content_than_the_pinned_one_is_refused_and_not_kept(package: Path) -> None:
    with pytest.raises(FetchError, match=r"tool@1\.0\.0 has the sha512 .* and not "):
        executable(pinned(b"something else"))

    assert list((package.parent / "kept").iterdir()) == []
