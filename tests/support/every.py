"""One test of everything in the schema: it runs domain by domain, and tells each name that it fails for."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable
from typing import cast

import pytest

_Check = Callable[..., None]


def every(
    argument: str, names: Iterable[str], *, in_short: Collection[str] | None = None
) -> Callable[[_Check], _Check]:
    """Give a test each of these full names (`Page.navigate`) as `argument`; pytest counts one test for each domain.

    A test of its own for each of ten thousand names costs pytest more than what they show. The test goes on after a
    name that it fails for, and raises an exception group at the end, with the names as notes. Other fixtures are made
    once for a domain. `make test` plays the domains `in_short`, all if there are none, and `make rest` the others.
    """
    groups = [(domain, list(group)) for domain, group in itertools.groupby(sorted(names), _domain)]

    def decorate(check: _Check) -> _Check:
        @functools.wraps(check)
        def check_all(**arguments: object) -> None:
            group = cast("list[str]", arguments.pop(argument))
            failures = [failure for name in group if (failure := _failure(check, {**arguments, argument: name}, name))]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(group)} names fail", failures)

        left_out = [domain for domain, _ in groups if in_short is not None and domain not in in_short]
        parameters = [
            pytest.param(group, id=domain, marks=[pytest.mark.thorough] if domain in left_out else [])
            for domain, group in groups
        ]
        return pytest.mark.parametrize(argument, parameters)(check_all)

    return decorate


def _domain(name: str) -> str:
    return name.partition(".")[0]


def _failure(check: _Check, arguments: dict[str, object], name: str) -> BaseException | None:
    try:
        check(**arguments)
    except (Exception, pytest.fail.Exception) as error:  # `pytest.raises` fails with the latter
        error.add_note(f"for {name}")
        return error
    return None
