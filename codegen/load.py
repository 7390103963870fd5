"""Loads the vendored files, verified, as one `Protocol`.

The JSON of npm calls base64 text a `string`. `base64_fields.txt` lists the fields that have it, which `make roll`
makes from the PDL of the same package.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codegen.errors import SchemaError
from codegen.model import Protocol

SCHEMA = Path(__file__).parent / "schema"
JSON_FILES = ("browser_protocol.json", "js_protocol.json")
BASE64_FIELDS = "base64_fields.txt"


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `SOURCE`: origin and digests of the vendored files."""

    package: str
    version: str
    revision: str
    licence: str
    homepage: str
    sha256: dict[str, str]

    @property
    def label(self) -> str:
        """Package and version, as the first line of every generated module names them."""
        return f"{self.package} {self.version}"


def load(root: Path = SCHEMA) -> tuple[Source, Protocol]:
    """Load the schema below `root`. Raises `SchemaError` naming the file that is missing, changed or unreadable."""
    source = read_source(root)
    fields = frozenset((root / BASE64_FIELDS).read_text("utf-8").split())
    read, found = zip(*(_decode(root / name, fields) for name in JSON_FILES), strict=True)
    for field in sorted(fields.difference(*found)):
        raise SchemaError(f"{BASE64_FIELDS}: the JSON has no text {field}")
    return source, replace(read[0], domains=tuple(domain for file in read for domain in file.domains))


def read_source(root: Path) -> Source:
    """Read `SOURCE` below `root`, and check that exactly the files that it lists are there, with their sha256."""
    try:
        source = msgspec.convert(tomllib.loads((root / "SOURCE").read_text("utf-8")), Source)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SchemaError(f"SOURCE: {error}") from error
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {"SOURCE"}
    for name in sorted(present ^ source.sha256.keys()):
        raise SchemaError(f"{name}: {'not listed in SOURCE' if name in present else 'listed in SOURCE, but missing'}")
    for name, expected in source.sha256.items():
        actual = hashlib.sha256((root / name).read_bytes()).hexdigest()
        if actual != expected:
            raise SchemaError(f"{name}: sha256 is {actual}, SOURCE says {expected}")
    return source


def _decode(path: Path, base64_fields: Collection[str]) -> tuple[Protocol, set[str]]:
    """The protocol in a file, with the type `binary` for these fields, and those of them that are in it."""
    found: set[str] = set()
    try:
        content = msgspec.to_builtins(msgspec.json.decode(path.read_bytes(), type=Protocol))
    except msgspec.MsgspecError as error:
        raise SchemaError(f"{path.name}: {error}") from error
    for name, kind in _texts(content):
        if name in base64_fields:
            kind["type"] = "binary"
            found.add(name)
    return msgspec.convert(content, Protocol), found


def _texts(content: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each field that is a text or a list of texts, as `Page.captureScreenshot.data`, with the type of that text."""
    for domain in content["domains"]:
        for owner in (*domain.get("types", ()), *domain.get("commands", ()), *domain.get("events", ())):
            for part in ("properties", "parameters", "returns"):
                for field in owner.get(part, ()):
                    kind = field.get("items", field)
                    if kind.get("type") == "string":
                        yield f"{domain['domain']}.{owner.get('id') or owner['name']}.{field['name']}", kind
