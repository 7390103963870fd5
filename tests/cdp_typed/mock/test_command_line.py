"""`python -m cdp_typed.mock`, started as a program in any language would start it."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import pytest

from cdp_typed import connect
from cdp_typed.errors import CommandError
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.mock.command_line import main
from cdp_typed.protocol import runtime, target


@asynccontextmanager
async def program(*arguments: str) -> AsyncGenerator[str]:
    """Start the program; return the URL that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cdp_typed.mock", *arguments, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
    assert line.startswith("DevTools listening on ws://127.0.0.1:")
    try:
        yield line.split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 20) == 0


def test_a_reader_of_the_address_may_leave() -> None:
    command = [sys.executable, "-m", "cdp_typed.mock"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, errors = process.communicate(timeout=20)

    assert (process.returncode, errors) == (0, "")


async def test_a_scenario_is_served(tmp_path: Path) -> None:
    path = tmp_path / "shop.json"
    path.write_text(json.dumps({"pages": {"http://shop.test/": {"title": "Shop"}}, "personality": "no_auto_attach"}))
    async with (
        program("--scenario", str(path)) as address,
        connect(address) as connection,
        connection.new_page("http://shop.test/") as tab,
    ):
        assert (await tab.send(runtime.Evaluate(expression="document.title"))).result.value == "Shop"
        with pytest.raises(CommandError, match="Not allowed"):
            await connection.send(
                target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=False, flatten=True)
            )


class Ending(io.StringIO):
    """An output whose reader ends the program as soon as it has read something."""

    def flush(self) -> None:
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.parametrize("arguments", [[], ["--personality", "slow_remote"], ["--scenario", "shop.json"]])
def test_it_says_where_it_listens_and_ends_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "shop.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    output = Ending()
    monkeypatch.setattr(sys, "stdout", output)

    assert main(arguments) == 0
    assert output.getvalue().startswith("DevTools listening on ws://127.0.0.1:")


def test_the_module_is_the_program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["mock", "--help"])
    monkeypatch.delitem(sys.modules, "cdp_typed.mock.__main__", raising=False)

    with pytest.raises(SystemExit) as caught:
        import_module("cdp_typed.mock.__main__")

    assert caught.value.code == 0
    assert "--scenario FILE" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{\n"pagse": {}}', "shop.json:2: Object contains unknown field `pagse`"),
        (None, "shop.json: No such file or directory"),
    ],
)
def test_a_scenario_that_cannot_be_read_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, error: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("shop.json").write_text(text)

    assert main(["--scenario", "shop.json"]) == 2
    assert capsys.readouterr().err == f"error: {error}\n"


def test_a_port_in_use_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadedMockServer() as mock:
        port = mock.address.rpartition(":")[2]

        assert main(["--port", port]) == 2
    assert f"error: 127.0.0.1:{port}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argument", "error"),
    [
        ("--personality=nice", "instant_dialogs"),
        *((f"--port={port}", f"{port}: a port is a number between 0 and 65535") for port in ("-1", "65536", "x", "")),
    ],
)
def test_a_value_that_cannot_be_is_wrong_usage(argument: str, error: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([argument])

    assert caught.value.code == 2
    assert error in capsys.readouterr().err
