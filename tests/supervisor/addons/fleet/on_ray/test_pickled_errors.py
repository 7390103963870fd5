"""Every error of both packages arrives from another process; some modules, which are all imported for it, need Ray."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType

import cdp_typed
import supervisor
from cdp_typed.errors import CDPError
from tests.supervisor.addons.fleet.filled import filled
from tests.supervisor.addons.fleet.test_pickling import told, travelled


def every_module(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__") and ".protocol." not in found.name:
            yield importlib.import_module(found.name)


def every_error() -> list[type[CDPError]]:
    for package in (cdp_typed, supervisor):
        assert list(every_module(package))
    # Other tests import modules anew, which leaves classes that no module has any more.
    errors = [cls for cls in _descendants(CDPError) if getattr(sys.modules[cls.__module__], cls.__name__) is cls]
    return sorted(errors, key=lambda cls: (cls.__module__, cls.__name__))


def _descendants(cls: type[CDPError]) -> set[type[CDPError]]:
    ours = {one for one in cls.__subclasses__() if one.__module__.partition(".")[0] in ("cdp_typed", "supervisor")}
    return {cls}.union(*map(_descendants, ours))


def test_every_error_arrives_with_its_text_and_its_fields() -> None:
    errors = every_error()
    assert len(errors) > 80
    failures: list[Exception] = []
    for cls in errors:
        try:
            error = filled(cls)
            error.add_note("a note")
            arrived = travelled(error)
            assert told(arrived) == told(error)
        except Exception as failure:
            failure.add_note(f"for {cls.__module__}.{cls.__name__}")
            failures.append(failure)
    if failures:
        raise ExceptionGroup("errors that do not arrive as they are", failures)
