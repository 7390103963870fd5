"""The vendored files are what SOURCE says, and base64 text has a type."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.errors import SchemaError
from codegen.load import SCHEMA, load


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A copy of the vendored directory."""
    return Path(shutil.copytree(SCHEMA, tmp_path / "schema"))


def rewrite(root: Path, name: str, text: str) -> None:
    """Changes a vendored file, and SOURCE with it."""
    (root / name).write_text(text, "utf-8")
    source = root / "SOURCE"
    old = hashlib.sha256((SCHEMA / name).read_bytes()).hexdigest()
    new = hashlib.sha256((root / name).read_bytes()).hexdigest()
    source.write_text(source.read_text().replace(old, new))


def edit(root: Path, name: str, old: str, new: str) -> None:
    """Changes a part of a vendored file, and SOURCE with it."""
    text = (root / name).read_text("utf-8")
    assert old in text
    rewrite(root, name, text.replace(old, new, 1))


@pytest.mark.parametrize("name", ["browser_protocol.json", "js_protocol.json", "base64_fields.txt", "LICENSE"])
def test_a_file_that_differs_by_one_byte_is_refused_by_name(schema: Path, name: str) -> None:
    with (schema / name).open("ab") as file:
        file.write(b"\n")

    with pytest.raises(SchemaError, match=f"^{name}: sha256 is [0-9a-f]{{64}}, SOURCE says [0-9a-f]{{64}}$"):
        load(schema)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a missing file": (lambda root: (root / "LICENSE").unlink(), r"LICENSE: listed in SOURCE, but missing$"),
    "a file more": (lambda root: (root / "extra.json").write_text("{}"), r"extra\.json: not listed in SOURCE$"),
    "SOURCE without its tables": (lambda root: (root / "SOURCE").write_text("version = 1"), "SOURCE: "),
    "SOURCE that is no TOML": (lambda root: (root / "SOURCE").write_text("no toml"), "SOURCE: "),
    "no SOURCE": (lambda root: (root / "SOURCE").unlink(), "SOURCE: .*No such file"),
    "text that is no JSON": (
        lambda root: rewrite(root, "js_protocol.json", "{"),
        r"js_protocol\.json: Input data was truncated$",
    ),
    "an unknown key": (
        lambda root: edit(root, "js_protocol.json", '"domain": "Console",', '"domain": "Console", "since": "1.0",'),
        r"js_protocol\.json: .*unknown field `since` - at `\$\.domains\[0\]`$",
    ),
    "a base64 field that the JSON does not have": (
        lambda root: edit(root, "base64_fields.txt", "Page.printToPDF.data\n", "Page.printToPDF.paperWidth\n"),
        r"base64_fields\.txt: the JSON has no text Page\.printToPDF\.paperWidth$",
    ),
}


@pytest.mark.parametrize(("damage", "error"), DAMAGES.values(), ids=DAMAGES)
def test_what_does_not_fit_is_refused_with_its_file(schema: Path, damage: Callable[[Path], object], error: str) -> None:
    damage(schema)

    with pytest.raises(SchemaError, match=f"^{error}"):
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
