"""The vendored files are what SOURCE says, and JSON and PDL agree."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from codegen.errors import SchemaError
from codegen.load import SCHEMA, load


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A copy of the vendored directory."""
    return Path(shutil.copytree(SCHEMA, tmp_path / "schema"))


def resign(root: Path, name: str) -> None:
    """Makes SOURCE agree with a file that a test has changed."""
    source = root / "SOURCE"
    old = hashlib.sha256((SCHEMA / name).read_bytes()).hexdigest()
    new = hashlib.sha256((root / name).read_bytes()).hexdigest()
    source.write_text(source.read_text().replace(old, new))


def edit(root: Path, name: str, old: str, new: str) -> None:
    """Changes a vendored file, and SOURCE with it."""
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new, 1), "utf-8")
    resign(root, name)


@pytest.mark.parametrize("name", ["browser_protocol.json", "js_protocol.json", "pdl/domains/Page.pdl", "LICENSE"])
def test_a_file_that_differs_by_one_byte_is_refused_by_name(schema: Path, name: str) -> None:
    with (schema / name).open("ab") as file:
        file.write(b"\n")

    with pytest.raises(SchemaError, match=f"^{name}: sha256 is [0-9a-f]{{64}}, SOURCE says [0-9a-f]{{64}}$"):
        load(schema)


def test_a_missing_file_is_refused_by_name(schema: Path) -> None:
    (schema / "pdl/domains/Page.pdl").unlink()

    with pytest.raises(SchemaError, match=r"^pdl/domains/Page\.pdl: listed in SOURCE, but missing$"):
        load(schema)


def test_a_file_that_source_does_not_list_is_refused_by_name(schema: Path) -> None:
    (schema / "extra.json").write_text("{}")

    with pytest.raises(SchemaError, match=r"^extra\.json: not listed in SOURCE$"):
        load(schema)


@pytest.mark.parametrize("text", ["version = 1", "no toml"])
def test_a_bad_source_is_refused(schema: Path, text: str) -> None:
    (schema / "SOURCE").write_text(text)

    with pytest.raises(SchemaError, match=r"^SOURCE: "):
        load(schema)


def test_a_missing_source_is_refused(schema: Path) -> None:
    (schema / "SOURCE").unlink()

    with pytest.raises(SchemaError, match=r"^SOURCE: .*No such file"):
        load(schema)


def test_text_that_is_no_json_is_refused_by_name(schema: Path) -> None:
    (schema / "js_protocol.json").write_text("{")
    resign(schema, "js_protocol.json")

    with pytest.raises(SchemaError, match=r"^js_protocol\.json: Input data was truncated$"):
        load(schema)


def test_an_unknown_key_is_refused_with_file_and_place(schema: Path) -> None:
    edit(schema, "js_protocol.json", '"domain": "Console",', '"domain": "Console", "since": "1.0",')

    with pytest.raises(SchemaError, match=r"^js_protocol\.json: .*unknown field `since` - at `\$\.domains\[0\]`$"):
        load(schema)


DISAGREEMENTS = {
    "a command of another name": (
        "  command navigate\n",
        "  command navigat\n",
        "Page: JSON has command navigate, PDL",
    ),
    "an event of another name": (
        "  event javascriptDialogClosed\n",
        "  event javascriptDialogClose\n",
        "Page: JSON has event javascriptDialogClosed,",
    ),
    "a type of another name": (
        "type FrameTree extends",
        "type FrameTrie extends",
        "Page: JSON has type FrameTree, PDL",
    ),
    "a parameter of another name": (
        "      optional string referrer\n",
        "      optional string referer\n",
        "Page.navigate: JSON has property referrer, PDL has referer",
    ),
    "a parameter that became required": (
        "      optional string referrer\n",
        "      string referrer\n",
        "Page.navigate.referrer: optional is True in JSON and False in PDL",
    ),
    "a parameter of another type": (
        "      optional string referrer\n",
        "      optional integer referrer\n",
        "Page.navigate.referrer: type is 'string' in JSON and 'integer' in PDL",
    ),
    "an enum value that is missing": (
        "      alert\n      confirm\n",
        "      alert\n",
        "Page.DialogType: enum is ('alert', 'confirm', 'prompt', 'beforeunload') in JSON and ('alert',",
    ),
    "an experimental mark that is missing": (
        "      experimental optional ReferrerPolicy referrerPolicy",
        "      optional ReferrerPolicy referrerPolicy",
        "Page.navigate.referrerPolicy: experimental is True in JSON and False in PDL",
    ),
    "a domain of another name": ("domain Page\n", "domain Pages\n", "domain Page is in only one of JSON and PDL"),
}


@pytest.mark.parametrize(("old", "new", "message"), DISAGREEMENTS.values(), ids=DISAGREEMENTS.keys())
def test_json_and_pdl_must_agree(schema: Path, old: str, new: str, message: str) -> None:
    edit(schema, "pdl/domains/Page.pdl", old, new)

    with pytest.raises(SchemaError) as caught:
        load(schema)

    assert str(caught.value).startswith(message)


def test_binary_is_taken_from_the_pdl() -> None:
    """The JSON says `string` for all of these; the PDL's own lines are the other side of the comparison."""
    _, protocol = load()
    count = 0
    for domain in protocol.domains:
        for definition in domain.types:
            count += sum(
                "binary" in (item.type, item.items and item.items.type) for item in definition.properties or ()
            )
        for command in domain.commands:
            parts = (*command.parameters, *command.returns)
            count += sum("binary" in (item.type, item.items and item.items.type) for item in parts)
        for event in domain.events:
            count += sum("binary" in (item.type, item.items and item.items.type) for item in event.parameters)
    lines = [line.split() for path in SCHEMA.rglob("*.pdl") for line in path.read_text("utf-8").splitlines()]

    assert count == sum(words[-2] == "binary" for words in lines if len(words) > 1 and words[0] != "#")
    assert '"binary"' not in (SCHEMA / "browser_protocol.json").read_text("utf-8")
