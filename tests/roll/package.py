"""The npm package devtools-protocol: fetched, unpacked, and laid out as `codegen/schema` holds it.

Its JSON has no type for base64 text; its PDL has one, `binary`. The PDL is read for that alone, and is not kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from codegen.load import BASE64_FIELDS

NAME = "devtools-protocol"
_HEAD = "# Where the files beside this one come from; codegen refuses to run when one of them differs.\n"


class RollError(Exception):
    """The package cannot be had, or is not one of devtools-protocol."""


def fetch_newest(folder: Path) -> Path:
    """Download the newest package with npm, and return where it was unpacked below `folder`."""
    command = ["npm", "pack", f"{NAME}@latest", "--silent", "--pack-destination", str(folder)]
    packed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tgz"))
    if packed.returncode or len(archives) != 1:
        raise RollError(f"npm gave no {NAME}: {packed.stderr.strip()}")
    return unpack(archives[0], folder)


def unpack(package: Path, folder: Path) -> Path:
    """Return the folder of a package that may be a `.tgz`, which is then unpacked below `folder`."""
    if package.is_dir():
        return package
    with tarfile.open(package) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def stage(package: Path, schema: Path) -> str:
    """Copy an unpacked package to `schema`, which `codegen.load` reads, and return its version.

    Raises `RollError` if it is none of devtools-protocol.
    """
    try:
        about = json.loads((package / "package.json").read_text(encoding="utf-8"))
        if about["name"] != NAME:
            raise RollError(f"{package} holds {about['name']}, not {NAME}")
        schema.mkdir(parents=True)
        shutil.copy(package / "LICENSE", schema)
        for name in ("browser_protocol.json", "js_protocol.json"):
            shutil.copy(package / "json" / name, schema)
        fields = [
            field for path in (package / "pdl").rglob("*.pdl") for field in base64_fields(path.read_text("utf-8"))
        ]
        (schema / BASE64_FIELDS).write_text("".join(f"{field}\n" for field in sorted(fields)))
    except (OSError, ValueError, KeyError) as error:
        raise RollError(f"{package} is no package of {NAME}: {error}") from error
    (schema / "SOURCE").write_text(_source(about["version"], about["license"], schema), encoding="utf-8")
    version: str = about["version"]
    return version


def base64_fields(pdl: str) -> Iterator[str]:
    """The fields of type `binary` in a PDL text, as `Page.captureScreenshot.data`.

    Raises `RollError` for a line with that type that is no such field.
    """
    domain = owner = ""
    for line in pdl.splitlines():
        match line.partition("#")[0].split():
            case [*_, "domain", domain]:
                pass
            case [*_, "type", owner, "extends", "object"] | [*_, "command" | "event", owner]:
                pass
            case [*_, "binary", name]:
                yield f"{domain}.{owner}.{name}"
            case [_, *words] if "binary" in words:
                raise RollError(f"unexpected line of the PDL: {line!r}")
            case _:
                pass


def _source(version: str, licence: str, schema: Path) -> str:
    about = {
        "package": NAME,
        "version": version,
        "revision": version.rpartition(".")[2],
        "licence": licence,
        "homepage": "https://github.com/ChromeDevTools/devtools-protocol",
    }
    lines = [f'{key} = "{value}"\n' for key, value in about.items()]
    digests = {
        path.relative_to(schema).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in schema.rglob("*")
        if path.is_file()
    }
    return "".join([_HEAD, *lines, "\n[sha256]\n", *(f'"{name}" = "{digests[name]}"\n' for name in sorted(digests))])
