"""Every command of the protocol has a parser, and every conforming call can be written with it."""

from __future__ import annotations

import argparse
import json
from typing import Any

import msgspec
import pytest

from cdp_typed.cli.arguments import UsageError, new_parser
from cdp_typed.cli.command_options import Option, build, options_of
from cdp_typed.mock import sample_params
from cdp_typed.protocol.registry import COMMANDS


def words_for(method: str, params: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for option in options_of(method):
        if option.wire not in params:
            continue
        value = params[option.wire]
        words.append(option.flag)
        words.extend(
            item if isinstance(item, str) and option.kind != "JSON" else json.dumps(item)
            for item in (value if option.many else [value])
        )
    return words


def test_every_command_takes_its_fullest_conforming_parameters_as_words() -> None:
    for method in COMMANDS:
        params = sample_params(method, full=True)
        parser = argparse.ArgumentParser(allow_abbrev=False)
        for option in options_of(method):
            option.add_to(parser)

        given = vars(parser.parse_args(words_for(method, params)))

        assert given == params, method
        assert msgspec.to_builtins(build(method, given)) == params, method


def test_an_enum_with_many_values_suggests_instead_of_listing() -> None:
    option = Option(
        "--x", "x", "string", tuple(f"value-{at}" for at in range(20)), many=False, required=False, experimental=False
    )
    parser = new_parser("x", "", "")
    option.add_to(parser)

    with pytest.raises(UsageError, match=r"'valu-19' is no value of it; did you mean 'value-19' or "):
        parser.parse_args(["--x", "valu-19"])
    assert "one of" not in parser.format_help()
