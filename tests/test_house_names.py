"""No folder is crowded, and one name has one meaning."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_agent", "cdp_typed", "supervisor", "codegen", "benchmarks", "website")

MOST_MODULES = 15
"""In one folder."""

GENERATED = ("cdp_typed/protocol", "cdp_typed/helpers/blocking")
"""Folders whose modules are written by `python -m codegen`."""

_FLEET = "those of a supervisor, and those that only a fleet has"
_STATE = "the state of a slice of the core, and the slice"
_SYNC = "the same client, async and blocking"

READ_TOGETHER = (("cdp_agent", "cdp_typed", "supervisor"), ("codegen",), ("benchmarks",), ("website",))
"""The packages whose classes one reader meets in the same file."""

SHARED_CLASS_NAMES = {
    "Dialog": "the state of the mock and the state of the core, two private models of the same thing",
    "ElementError": "the client's is public; the tools turn theirs into a result, so no caller catches it",
    "Frame": "the mock's is an iframe in a test's site; the core's is private",
    "NavigationFailed": "the supervisor's is a subclass of the client's",
    "Session": "CDP's word: the client's handle, and the private state that the core keeps of a session",
}
"""The reason for each class name that several modules of the packages define."""

SHARED_MODULE_NAMES = {
    "cdp_typed": {
        "connect": _SYNC,
        "streams": _SYNC,
        "subscriptions": _SYNC,
        "diff": "two schemas compared, and the command for it",
        "errors": "those of the client, and those of the mock, which imports nothing of the client",
        "pipe": "a browser that is started with a pipe, and the messages over it",
    },
    "supervisor": {
        "bridge": _STATE,
        "calls": _STATE,
        "dialogs": _STATE,
        "frames": _STATE,
        "errors": _FLEET,
        "values": _FLEET,
        "console": "the console that is kept, and the tool that reads it",
        "addon": "what each folder of `supervisor.addons` declares",
        "snapshot": "the value, and the tool that shows it",
    },
}
"""The reason for each name that several modules of a package have."""


def modules(root: Path, package: str) -> list[Path]:
    """The hand-written modules of a package, or of the tests."""
    generated = [ROOT / folder for folder in GENERATED]
    return [path for path in sorted((root / package).rglob("*.py")) if not any(map(path.is_relative_to, generated))]


def crowded_folders(root: Path) -> dict[str, int]:
    """The folders with too many modules."""
    counts = Counter(
        str(path.parent.relative_to(root))
        for package in (*PACKAGES, "tests", "evals")
        for path in modules(root, package)
    )
    return {folder: count for folder, count in counts.items() if count > MOST_MODULES}


def shared_class_names(root: Path, packages: Iterable[str]) -> set[str]:
    """The names of classes that several modules of these packages define; only top-level classes count."""
    return _repeated(
        (node.name, path)
        for package in packages
        for path in modules(root, package)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )


def shared_module_names(root: Path, package: str) -> set[str]:
    """The names of several modules of a package."""
    return _repeated((path.stem, path) for path in modules(root, package)) - {"__init__", "__main__", "main"}


def _repeated(named: Iterator[tuple[str, Path]]) -> set[str]:
    paths = defaultdict[str, set[Path]](set)
    for name, path in named:
        paths[name].add(path)
    return {name for name, holders in paths.items() if len(holders) > 1}


def test_no_folder_has_more_modules_than_a_reader_takes_in() -> None:
    assert crowded_folders(ROOT) == {}


def complaints_about_classes(shared: set[str]) -> list[str]:
    """A sentence for each shared class name without a reason, and for each reason whose name is not shared."""
    return [
        *(
            f"{name}: several modules define a class of this name; rename one, or write the reason"
            " into SHARED_CLASS_NAMES in tests/test_house_names.py"
            for name in sorted(shared - SHARED_CLASS_NAMES.keys())
        ),
        *(
            f"{name}: one module at most defines this class now; remove it from SHARED_CLASS_NAMES"
            for name in sorted(SHARED_CLASS_NAMES.keys() - shared)
        ),
    ]


def test_a_class_name_has_one_meaning_or_a_reason() -> None:
    assert complaints_about_classes({name for group in READ_TOGETHER for name in shared_class_names(ROOT, group)}) == []


def test_a_module_name_has_one_meaning_or_a_reason() -> None:
    for package in PACKAGES:
        assert shared_module_names(ROOT, package) == SHARED_MODULE_NAMES.get(package, {}).keys()


def test_a_crowded_folder_and_a_shared_name_are_found(tmp_path: Path) -> None:
    for number in range(MOST_MODULES + 1):
        module = tmp_path / "supervisor" / "core" / f"module{number}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text("class Frame: ...\n" if number < 2 else "")
    (tmp_path / "supervisor" / "module0.py").touch()

    assert crowded_folders(tmp_path) == {"supervisor/core": MOST_MODULES + 1}
    assert shared_class_names(tmp_path, ["supervisor"]) == {"Frame"}
    assert shared_module_names(tmp_path, "supervisor") == {"module0"}


def test_a_class_name_in_two_packages_needs_a_reason(tmp_path: Path) -> None:
    for package in ("cdp_typed", "supervisor"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "router.py").write_text("class Router: ...\n")

    shared = shared_class_names(tmp_path, ["cdp_typed", "supervisor"])
    (complaint,) = complaints_about_classes(shared | SHARED_CLASS_NAMES.keys())
    assert complaint.startswith("Router: several modules")
    assert "SHARED_CLASS_NAMES in tests/test_house_names.py" in complaint
    (complaint,) = complaints_about_classes(SHARED_CLASS_NAMES.keys() - {"Frame"})
    assert complaint.startswith("Frame: one module at most")
