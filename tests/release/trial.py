"""Tries the wheel that is installed for this Python: every module, both programs, client and supervisor on the mock.

It needs nothing but the wheel and what that asks for, and no browser:

    python tests/release/trial.py
"""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import sysconfig
from importlib import import_module, metadata
from pathlib import Path

EXTRAS = {"PIL", "anyio", "av", "mcp", "mcp_types", "pytest", "pytest_asyncio", "ray", "starlette", "uvicorn", "yaml"}
"""Packages that come with the extras; modules that need one of them are imported only where it is there."""


def main() -> None:
    """Try all of it. Raises `AssertionError`, or whatever went wrong."""
    imported = import_everything()
    use_the_client()
    use_the_programs()
    sys.stdout.write(f"{imported} modules and all else work on {sys.version.split()[0]}\n")


def import_everything() -> int:
    """Import every module, and use every name of the client; return the number of modules."""
    imported = 0
    for name in ("cdp_typed", "supervisor"):
        package = import_module(name)
        assert Path(str(package.__file__)).is_relative_to(sys.prefix), package.__file__
        modules = [module.name for module in pkgutil.walk_packages(package.__path__, f"{name}.")]
        for module in modules:
            if not module.endswith(".__main__"):
                imported += import_unless_extra(module)
        for public in package.__all__:
            getattr(package, public)
    return imported


def import_unless_extra(module: str) -> bool:
    """Import a module; return False for one that needs the package of an extra which is not there."""
    try:
        import_module(module)
    except ImportError as missing:
        if str(missing.name).partition(".")[0] not in EXTRAS and "cdp-typed[" not in str(missing):
            raise
        return False
    return True


def use_the_client() -> None:
    """Send commands to the mock, and hear an event of it."""
    from cdp_typed import connect_sync
    from cdp_typed.mock import Page, ThreadedMockServer
    from cdp_typed.protocol import browser, page

    with (
        ThreadedMockServer({"http://localhost/": Page(title="Top")}) as mock,
        connect_sync(mock.url) as connection,
        connection.new_page() as tab,
    ):
        assert connection.send(browser.GetVersion()).protocol_version == "1.3"
        tab.send(page.Enable())
        with tab.expect(page.LoadEventFired, timeout=10):
            tab.send(page.Navigate(url="http://localhost/"))


def use_the_programs() -> None:
    """Ask both programs for their version, and a session on the mock for a number."""
    from cdp_typed.mock import Page, ThreadedMockServer

    version = metadata.version("cdp-typed")
    folder = Path(sysconfig.get_path("scripts"))
    for program in ("cdp-typed", "cdp-agent"):
        assert version in run(str(folder / program), "--version")
    with ThreadedMockServer({"http://localhost/": Page(title="Top")}) as mock:
        in_session = (str(folder / "cdp-agent"), "--session", "trial")
        run(*in_session, "open", "http://localhost/", "--cdp", mock.url)
        assert "42" in run(*in_session, "eval", "6 * 7")
        run(*in_session, "close")


def run(*command: str) -> str:
    """Run a program, and return what it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
