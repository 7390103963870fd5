"""What Windows does not have is taken from a process: everything is imported there, and client and supervisor work."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

_HEAD = """\
from tests.cdp_typed.first_contact.without_posix import take_away
take_away()
"""


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", _HEAD + dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_every_module_is_imported(platform: str) -> None:
    code = f"""
        import importlib, pkgutil, sys
        sys.platform = {platform!r}
        for package in ("cdp_typed", "supervisor"):
            home = importlib.import_module(package)
            for module in pkgutil.walk_packages(home.__path__, package + ".", lambda name: None):
                if module.name.endswith("__main__"):
                    continue
                try:
                    importlib.import_module(module.name)
                except (ImportError, NotImplementedError) as error:  # of packages that look for the platform themselves
                    print(module.name, error)
        """

    # The extras `mcp` and `ray` need mcp, uvicorn and Ray, which have modules of their own for Windows.
    of_extras = tuple(f"supervisor.{name}" for name in ("addons.fleet", "addons.live", "addons.mcp", "http_server"))
    failed = [line for line in _run(code).splitlines() if not line.startswith(of_extras)]
    assert failed == []


def test_the_blocking_client_works() -> None:
    code = """
        from cdp_typed import connect_sync
        from cdp_typed.mock import ThreadedMockServer
        from cdp_typed.protocol import runtime

        with ThreadedMockServer() as server, connect_sync(server.http_url) as browser, browser.new_page() as tab:
            print(tab.send(runtime.Evaluate(expression="6 * 7")).result.value)
        """

    assert _run(code) == "42\n"


def test_the_supervisor_works() -> None:
    code = """
        from cdp_typed.mock import ThreadedMockServer
        from supervisor import BlockedByDialog, CDPSupervisor

        with ThreadedMockServer() as server, CDPSupervisor(server.http_url) as supervisor:
            print(supervisor.evaluate("6 * 7").value)
            try:
                supervisor.evaluate("window.answer = prompt('Your name?')")
            except BlockedByDialog as blocked:
                supervisor.respond_to_dialog("accept", "Ada", blocked.dialog.id)
            print(supervisor.evaluate("window.answer").value)
        """

    assert _run(code) == "42\nAda\n"


def test_a_server_of_the_command_line_ends_at_ctrl_c() -> None:
    code = """
        import asyncio, signal
        from cdp_typed.ending_signals import stopped_by_signals

        async def main():
            ended = asyncio.Event()
            with stopped_by_signals(ended.set):
                signal.raise_signal(signal.SIGINT)
                await asyncio.wait_for(ended.wait(), 5)
                print("ended")

        asyncio.run(main())
        """

    assert _run(code) == "ended\n"
