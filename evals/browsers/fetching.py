"""Fetches the browsers of the matrix with the registries' own clients, and keeps them in a folder."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.browsers.catalogue import Browser, Debian, Installed, Npm, Wheels

__all__ = ["FetchError", "cache_folder", "executable"]

_HERE = Path(__file__).parent

# Python has no brotli; whoever has npm has node.
_UNPACK = """
const fs = require("fs"), zlib = require("zlib");
for (const file of fs.readdirSync(".").filter(name => name.endsWith(".br"))) {
  const name = file.slice(0, -3).replace(/^chromium-.*/, "chromium"); // some have a version in it
  fs.writeFileSync(name, zlib.brotliDecompressSync(fs.readFileSync(file)));
  fs.unlinkSync(file);
}
"""


class FetchError(Exception):
    """A browser cannot be fetched; the message says why."""


def cache_folder() -> Path:
    """Return the folder of the browsers: `CDP_TYPED_BROWSERS`, or a folder of this user."""
    return Path(os.environ.get("CDP_TYPED_BROWSERS") or Path.home() / ".cache" / "cdp-typed" / "browsers")


def executable(browser: Browser) -> Path:
    """The browser's program, which is fetched first if it is not there. Raises `FetchError`."""
    source = browser.source
    if isinstance(source, Installed):
        return Path(_find(source.executable))
    folder = cache_folder() / browser.name
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=f".{browser.name}-") as beginning:
            unpacked = Path(beginning) / browser.name
            unpacked.mkdir()
            _fetch(source, unpacked)
            unpacked.replace(folder)
    match source:
        case Npm():
            return folder / source.executable
        case Debian():
            return folder / "usr" / "lib" / "chromium" / "chromium"
        case Wheels():
            return folder / "bin" / "python"


def _fetch(source: Npm | Debian | Wheels, folder: Path) -> None:
    match source:
        case Npm():
            _fetch_npm(source, folder)
        case Debian():
            names = [f"{package}={source.version}" for package in ("chromium", "chromium-common")]
            _run([_find("apt-get"), "-qq", "download", *names], folder)
            for package in folder.glob("*.deb"):
                _run([_find("dpkg"), "-x", package.name, "."], folder)
                package.unlink()
        case Wheels():
            lock = _HERE / "qt" / f"{source.lock}.txt"
            _run([sys.executable, "-m", "venv", "."], folder)
            pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
            _run([*pip, "--only-binary", ":all:", "--require-hashes", "-r", str(lock)], folder)


def _fetch_npm(source: Npm, folder: Path) -> None:
    _run([_find("npm"), "pack", source.package, "--silent"], folder)
    (package,) = folder.glob("*.tgz")
    digest = base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()
    if digest != source.sha512:
        raise FetchError(f"{source.package} has the sha512 {digest} and not {source.sha512}")
    _run(["tar", "xzf", package.name, "--strip-components=1", "--no-same-owner"], folder)
    package.unlink()
    if (folder / "bin").is_dir():
        for part in (folder / "bin").iterdir():
            part.replace(folder / part.name)
        _run([_find("node"), "-e", _UNPACK], folder)
        for archive in folder.glob("*.tar"):
            _run(["tar", "xf", archive.name, "--no-same-owner"], folder)
            archive.unlink()
    (folder / source.executable).chmod(0o755)


def _find(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise FetchError(f"{program} is needed and not there")
    return path


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
