"""The vendored files are what SOURCE says, and base64 text has a type."""

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


@pytest.mark.parametrize("name", ["browser_protocol.json", "js_protocol.json", "base64_fields.txt", "LICENSE"])
def test_a_file_that_differs_by_one_byte_is_refused_by_name(schema: Path, name: str) -> None:
    with (schema / name).open("ab") as file:
        file.write(b"\n")

    with pytest.raises(SchemaError, match=f"^{name}: sha256 is [0-9a-f]{{64}}, SOURCE says [0-9a-f]{{64}}$"):
        load(schema)


def test_a_missing_file_is_refused_by_name(schema: Path) -> None:
    (schema / "LICENSE").unlink()

    with pytest.raises(SchemaError, match=r"^LICENSE: listed in SOURCE, but missing$"):
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


def test_a_base64_field_that_the_json_does_not_have_is_refused(schema: Path) -> None:
    edit(schema, "base64_fields.txt", "Page.printToPDF.data\n", "Page.printToPDF.paperWidth\n")

    with pytest.raises(SchemaError, match=r"^base64_fields\.txt: the JSON has no text Page\.printToPDF\.paperWidth$"):
        load(schema)


def test_every_field_that_the_json_describes_as_base64_is_listed() -> None:
    """The JSON says so of those that have a description: the list has more."""
    _, protocol = load()
    texts = {
        f"{domain.domain}.{owner}.{item.name}": item.type
        for domain in protocol.domains
        for owner, items in (
            *((definition.id, definition.properties or ()) for definition in domain.types),
            *((command.name, (*command.parameters, *command.returns)) for command in domain.commands),
            *((event.name, event.parameters) for event in domain.events),
        )
        for item in items
        if "Encoded as a base64 string when passed over JSON" in item.description
    }

    assert texts
    assert set(texts.values()) == {"binary"}
