"""A roll to another package, from the package to the changelog, without network."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from cdp_typed.schema.diff import Change, Difference
from codegen.__main__ import generate
from codegen.errors import SchemaError
from codegen.write import check
from tests.roll.__main__ import main, roll
from tests.roll.package import RollError, base64_fields, stage
from tests.roll.summary import add_to_changelog, summarize
from tests.support.wheels import ROOT

SCHEMA = ROOT / "codegen" / "schema"
BASE64 = SCHEMA / "base64_fields.txt"


def pdl_of(fields: Iterable[str]) -> str:
    """A PDL that has these fields, and nothing else."""
    parts = (field.split(".") for field in fields)
    return "".join(
        f"domain {domain}\n  command {owner}\n    returns\n      binary {name}\n" for domain, owner, name in parts
    )


@pytest.fixture
def pinned(tmp_path: Path) -> Path:
    """The package in use, as npm has it."""
    package = tmp_path / "package"
    (package / "json").mkdir(parents=True)
    shutil.copy(SCHEMA / "LICENSE", package)
    (package / "pdl").mkdir()
    (package / "pdl" / "browser_protocol.pdl").write_text(pdl_of(BASE64.read_text().split()))
    for path in SCHEMA.glob("*.json"):
        shutil.copy(path, package / "json")
    version = SCHEMA.joinpath("SOURCE").read_text().partition('version = "')[2].partition('"')[0]
    about = f'{{"name": "devtools-protocol", "version": "{version}", "license": "BSD-3-Clause"}}'
    (package / "package.json").write_text(about)
    return package


@pytest.fixture
def newer(pinned: Path) -> Path:
    """A package in which a command of Page has another name."""
    replace_in(pinned / "package.json", '"version": "0.0.', '"version": "0.0.9')
    replace_in(
        pinned / "json" / "browser_protocol.json", '"name": "produceCompilationCache"', '"name": "makeCompilationCache"'
    )
    return pinned


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository of which a roll changes all that it changes."""
    root = tmp_path / "repository"
    shutil.copytree(SCHEMA, root / "codegen" / "schema")
    (root / "cdp_typed" / "protocol").mkdir(parents=True)
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- What was there.\n")
    return root


def test_the_package_in_use_is_laid_out_as_it_is_vendored(pinned: Path, tmp_path: Path) -> None:
    stage(pinned, tmp_path / "schema")

    for path in SCHEMA.rglob("*"):
        if path.is_file():
            assert (tmp_path / "schema" / path.relative_to(SCHEMA)).read_bytes() == path.read_bytes(), path.name


def test_the_package_in_use_changes_nothing(pinned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--package", str(pinned)]) == 0

    assert capsys.readouterr().out.startswith("nothing to do: the bindings are made from 0.0.")


def test_a_newer_package_is_vendored_generated_and_told(newer: Path, root: Path, tmp_path: Path) -> None:
    rolled = roll(newer, tmp_path / "schema", root)

    assert rolled.after == rolled.before.replace("0.0.", "0.0.9")
    assert f'version = "{rolled.after}"' in (root / "codegen" / "schema" / "SOURCE").read_text()
    assert check(root / "cdp_typed" / "protocol", generate(root / "codegen" / "schema")) == []
    assert "class MakeCompilationCache(" in (root / "cdp_typed" / "protocol" / "_commands" / "page.py").read_text()
    changelog = (root / "CHANGELOG.md").read_text().splitlines()
    assert changelog[:4] == ["# Changelog", "", "## Unreleased", ""]
    assert changelog[4].startswith(f"- The bindings are made from npm devtools-protocol {rolled.after} (before: ")
    assert changelog[-3:] == [
        "  - Added: command `Page.makeCompilationCache`.",
        "  - Removed: command `Page.produceCompilationCache`.",
        "- What was there.",
    ]


def test_a_dry_run_of_a_packed_package_tells_and_writes_nothing(
    newer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (ROOT / "CHANGELOG.md").read_bytes(), (SCHEMA / "SOURCE").read_bytes()
    with tarfile.open(tmp_path / "devtools-protocol.tgz", "w:gz") as archive:
        archive.add(newer, "package")

    assert main(["--dry-run", "--package", str(tmp_path / "devtools-protocol.tgz")]) == 0

    assert "Added: command `Page.makeCompilationCache`." in capsys.readouterr().out
    assert before == ((ROOT / "CHANGELOG.md").read_bytes(), (SCHEMA / "SOURCE").read_bytes())


def test_a_package_that_cannot_be_generated_from_leaves_all_as_it_was(newer: Path, root: Path, tmp_path: Path) -> None:
    (newer / "pdl" / "browser_protocol.pdl").write_text(pdl_of(["Page.captureScreenshot.picture"]))

    with pytest.raises(SchemaError, match=r"the JSON has no text Page\.captureScreenshot\.picture"):
        roll(newer, tmp_path / "schema", root)

    assert check(root / "cdp_typed" / "protocol", {}) == []
    assert (root / "codegen" / "schema" / "SOURCE").read_bytes() == (SCHEMA / "SOURCE").read_bytes()


def test_another_package_is_refused(newer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(newer / "package.json", '"devtools-protocol"', '"left-pad"')

    assert main(["--package", str(newer)]) == 2
    assert "holds left-pad, not devtools-protocol" in capsys.readouterr().err
    with pytest.raises(RollError, match="is no package of devtools-protocol"):
        stage(tmp_path / "nowhere", tmp_path / "schema")


def test_base64_fields_are_read_from_the_pdl() -> None:
    pdl = """
# binary is base64 text
experimental domain Fetch
  depends on IO

  type Part extends object
    properties
      # the bytes
      optional binary bytes
      string name

  type Name extends string
    enum
      binary

  deprecated command send
    parameters
      array of binary parts
    returns
      experimental binary reply

  event got
    parameters
      binary data
"""

    assert [*base64_fields(pdl)] == ["Fetch.Part.bytes", "Fetch.send.parts", "Fetch.send.reply", "Fetch.got.data"]
    with pytest.raises(RollError, match="type Bytes extends binary"):
        list(base64_fields("domain Fetch\n  type Bytes extends binary\n"))


def test_what_is_experimental_and_small_is_only_counted() -> None:
    added: Change = "added"
    differences = (
        Difference("command", added, "Page.film"),
        Difference("value", added, "Page.Kind", "new"),
        Difference("value", added, "CSS.Kind", "odd", experimental=True),
    )

    entry = summarize("0.0.1", "0.0.2", differences)

    assert "0.0.2 (before: 0.0.1): 3 differences, 1 of them" in entry
    assert entry.splitlines()[-1] == (
        "  - Added: command `Page.film`; value `Page.Kind` (new); 1 experimental fields and values."
    )


def test_a_changelog_without_the_section_is_refused() -> None:
    with pytest.raises(ValueError, match="has no section"):
        add_to_changelog("# Changelog\n", "- New.\n")
