"""What a task of the toolsets is played with: the tools of an MCP server beyond those of `Hands`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evals.tasks.hands import Hands, NoTool

__all__ = ["PASSWORD", "USER", "Area", "Check", "Mock", "Surroundings", "ToolsetHands"]

USER = "ann"
PASSWORD = "marmalade-9917"
"""Those of the login that a server keeps, where it keeps one."""

Area = Literal["local", "session"]
Check = Literal["text", "value", "visible", "list", "title", "url", "count", "console"]
"""`value`, `list` and `title` are equal, `text` and `url` contain, `count` is of elements, `console` has no error."""


@dataclass(frozen=True, kw_only=True)
class Mock:
    """An answer in place of the server's."""

    body: str = ""
    status: int = 200
    content_type: str = "text/plain"
    method: str = ""
    """Of HTTP; any if empty."""
    times: int | None = None
    """Answer so many requests only."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a page is to see of its device, its place and its network. Nothing else changes."""

    size: tuple[int, int] | None = None
    """Of the viewport, in CSS pixels."""
    scale: float | None = None
    """Device pixels for a CSS pixel."""
    device: Literal["", "Pixel 7"] = ""
    dark: bool = False
    less_motion: bool = False
    more_contrast: bool = False
    print: bool = False
    locale: str = ""
    time_zone: str = ""
    place: tuple[float, float] | None = None
    """Latitude and longitude."""
    permission: str = ""
    user_agent: str = ""
    network: Literal["", "offline", "slow-3g", "full"] = ""


class ToolsetHands(Hands):
    """The tools of one server. Each method raises `NoTool` unless the server has a tool or a script for it.

    A step that the server has no tool for may be a script, where the server has a tool that runs one. It is counted as
    `script` then.
    """

    # Cookies

    def cookies(self, host: str = "") -> str:
        """List the cookies, or those of a host."""
        raise NoTool("listing cookies")

    def cookie(self, name: str) -> str:
        """Show the value of a cookie."""
        raise NoTool("reading a cookie")

    def set_cookie(self, name: str, value: str, *, host: str = "", path: str = "/", http_only: bool = False) -> str:
        """Set a cookie of the page's host, or of another host that no page shows."""
        raise NoTool("setting a cookie")

    def delete_cookie(self, name: str) -> str:
        raise NoTool("deleting a cookie")

    def clear_cookies(self) -> str:
        raise NoTool("clearing the cookies")

    # Storage

    def stored(self, area: Area, key: str, *, frame: str = "") -> str:
        """Show a value of the page's storage, or of that of an iframe, which is given by its title."""
        raise NoTool("reading the storage")

    def store(self, area: Area, key: str, value: str, *, frame: str = "") -> str:
        """Set a value of the storage."""
        raise NoTool("changing the storage")

    def forget(self, area: Area, key: str) -> str:
        """Delete a value of the storage."""
        raise NoTool("deleting from the storage")

    def clear_storage(self, area: Area) -> str:
        raise NoTool("clearing the storage")

    def records(self, database: str, store: str) -> str:
        """Show the records of a store of IndexedDB."""
        raise NoTool("reading IndexedDB")

    def cached(self, cache: str, url: str) -> str:
        """Show a response of CacheStorage."""
        raise NoTool("reading CacheStorage")

    def save_state(self, name: str) -> str:
        """Save cookies and localStorage as a file in Playwright's format, by its name in the folder of the desk."""
        raise NoTool("saving a state")

    def load_state(self, name: str) -> str:
        """Load such a file."""
        raise NoTool("loading a state")

    # Network

    def keep_requests(self) -> None:
        """Begin to keep requests, where that needs a call."""

    def requests(self, part: str = "") -> str:
        """List the requests, or those whose address has this part."""
        raise NoTool("listing requests")

    def request(self, part: str) -> str:
        """Show the newest request whose address has this part, with its headers and bodies."""
        raise NoTool("reading a request")

    def mock(self, path: str, answer: Mock) -> str:
        """Answer requests whose address ends with a path."""
        raise NoTool("answering requests")

    def abort(self, path: str) -> str:
        """Let requests fail."""
        raise NoTool("aborting requests")

    def delay(self, path: str, seconds: float) -> str:
        """Hold requests for some time."""
        raise NoTool("delaying requests")

    def change(self, path: str, *, header: tuple[str, str] | None = None, without: str = "", body: str = "") -> str:
        """Change requests: a header, none of this name, or another body."""
        raise NoTool("changing requests")

    def unroute(self) -> str:
        """Leave all requests to the server again."""
        raise NoTool("removing routes")

    def begin_har(self, name: str) -> str:
        """Begin to keep requests for a HAR file."""
        raise NoTool("saving a HAR file")

    def save_har(self, name: str) -> str:
        """Save them."""
        raise NoTool("saving a HAR file")

    def replay_har(self, name: str) -> str:
        """Answer requests from that file, and from nothing else."""
        raise NoTool("replaying a HAR file")

    # Logins

    def keep_login(self, origin: str, folder: Path) -> None:
        """Save the login of `USER` for an origin as a person would, where that needs a command. It is not counted."""

    def fill_login(self) -> str:
        """Fill the page's login form with the saved login, whose password no result shows."""
        raise NoTool("a login that the model does not see")

    def send_login(self, origin: str) -> str:
        """Send the user and the password as HTTP credentials with the requests to an origin."""
        raise NoTool("HTTP credentials")

    def choose_account(self, ref: str, email: str) -> str:
        """Press a button, and choose an account in the chooser that then opens (FedCM). `""` dismisses the chooser."""
        raise NoTool("the chooser of an account")

    # Verification

    def verify(self, check: Check, expected: str | Sequence[str], *, name: str = "", role: str = "") -> bool:
        """Return whether the tool finds the page as expected: all of it, or the element of a name and a role."""
        raise NoTool(f"verifying {check}")

    # Reading

    def read(self, *, frame: str = "", part: int = 1) -> str:
        """Show the page, or an iframe by its title, as text to read."""
        raise NoTool("reading a page")

    # Emulation

    def emulate(self, surroundings: Surroundings) -> str:
        """Show the pages other surroundings."""
        raise NoTool("emulation")

    def end_emulation(self) -> str:
        """Show them their own again."""
        raise NoTool("ending an emulation")

    # Performance

    def vitals(self) -> str:
        """Show the Core Web Vitals of the visit, with their causes."""
        raise NoTool("measuring a visit")

    def begin_trace(self) -> str:
        """Begin to record a performance trace."""
        raise NoTool("recording a trace")

    def end_trace(self) -> str:
        """End it, and show its summary."""
        raise NoTool("recording a trace")

    @property
    def trace_file(self) -> Path:
        """The file of the last trace, in the format of the developer tools."""
        raise NoTool("a file with a trace")

    def begin_profile(self) -> str:
        """Begin to profile the scripts of the page."""
        raise NoTool("a profile of the processor")

    def begin_coverage(self) -> str:
        """Begin to note the code that the page uses."""
        raise NoTool("unused code")

    def end_profile(self) -> str:
        """End either, and show the result."""
        raise NoTool("a profile")

    # Memory

    def take_heap(self) -> str:
        """Take a heap snapshot."""
        raise NoTool("a heap snapshot")

    def heap_changes(self) -> str:
        """Take another one, and show the classes that gained or lost objects since the one before."""
        raise NoTool("comparing heap snapshots")

    def heap_keepers(self, name: str) -> str:
        """Show what keeps an object of a class alive, in the last snapshot."""
        raise NoTool("what keeps an object alive")

    def heap_copies(self) -> str:
        """Show the strings that the last snapshot has several copies of."""
        raise NoTool("copies of strings")

    # Recording

    def record(self, name: str) -> str:
        """Begin to record the calls under a name."""
        raise NoTool("recording calls")

    def end_recording(self) -> str:
        """Write what was recorded into the folder of the desk, and show the code."""
        raise NoTool("recording calls")

    def play_code(self, name: str) -> bool:
        """Return whether the recorded code runs without an error in a new browser. It is not counted."""
        raise NoTool("recording calls")

    # Small things

    def forward(self) -> str:
        raise NoTool("going forward")

    def reload(self) -> str:
        raise NoTool("reloading")

    def read_clipboard(self) -> str:
        raise NoTool("reading the clipboard")

    def write_clipboard(self, text: str) -> str:
        raise NoTool("writing the clipboard")

    def console_stacks(self, part: str) -> str:
        """Show the messages on the console that have this part, with the calls that led to them."""
        raise NoTool("stacks of the console")

    def open_with_script(self, script: str, url: str) -> str:
        """Open a page, and run a script before its own."""
        raise NoTool("running a script before those of a page")

    def use_passkeys(self) -> str:
        """Let the page create and use passkeys without a person."""
        raise NoTool("passkeys")

    def page_tools(self) -> str:
        """List the tools that the page offers (WebMCP)."""
        raise NoTool("tools of a page")

    def call_page_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        """Call one of them."""
        raise NoTool("tools of a page")

    def highlight(self, ref: str) -> str:
        """Draw a box over an element."""
        raise NoTool("highlighting")

    def end_highlight(self, ref: str) -> str:
        """Remove the box."""
        raise NoTool("highlighting")

    def styles(self, ref: str) -> str:
        """Show the rules that style an element."""
        raise NoTool("the styles of an element")

    def drop_file(self, ref: str, path: Path) -> str:
        """Drop a file on an element, as from outside the browser."""
        raise NoTool("dropping a file")

    # Extensions

    def load_extension(self, folder: Path) -> str:
        """Load an unpacked extension."""
        raise NoTool("extensions")

    def press_extension(self) -> str:
        """Press its button on the toolbar."""
        raise NoTool("extensions")

    def remove_extension(self) -> str:
        """Remove it."""
        raise NoTool("extensions")

    # Files

    def save_pdf(self, name: str) -> Path:
        """Print the page, and return the file."""
        raise NoTool("a PDF")

    def save_picture(self, name: str, kind: Literal["png", "jpeg"], *, ref: str = "") -> Path:
        """Take a picture of the whole page, or of an element, and return the file."""
        raise NoTool("pictures")

    def keep_downloads(self, folder: Path) -> None:
        """Have downloads saved in a folder, where that needs a call."""

    def downloaded(self, name: str) -> Path:
        """Return the file of a download, by the name that the page gave it."""
        raise NoTool("the path of a download")

    # What tasks leave behind

    def undo(self) -> None:
        """Take away the routes and the emulation of the task before. It is not counted."""
