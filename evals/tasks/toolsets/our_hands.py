"""The tools of this project with all toolsets, as tasks use them: over MCP or by a toolbox, with results as text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from cryptography.fernet import Fernet

from evals.tasks.hands import NotOnPage
from evals.tasks.our_hands import OurHands
from evals.tasks.toolsets.hands import PASSWORD, USER, Area, Check, Mock, Surroundings, ToolsetHands
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.saved_state.sealed import KEY

__all__ = ["PAGE_TOOLS", "OurToolsetHands", "variables"]

_FOLDERS = ("CDP_FILES_FOLDER", "CDP_LOGIN_FOLDER", "CDP_STATE_FOLDER")
_KEY = Fernet.generate_key().decode()
PAGE_TOOLS = "--enable-features=WebMCP"
"""The option of Chromium with which pages may offer tools to agents."""

_TEST = re.compile(r"/[^\s\"=]*/test_(?!\w*_playwright)\w+\.py")
_TRACE = re.compile(r"/[^\s\"=]*\.json(?:\.gz)?")
_HEAP = re.compile(r"heap-[\w-]+\.heapsnapshot")
_PATH = re.compile(r"(?<=path=)/\S+|(?<=path=\")[^\"]+")
_REQUEST_ID = re.compile(r"^(\d+) ", re.MULTILINE)
_EXTENSION = re.compile(r"\b[a-p]{32}\b")


def variables(folder: Path) -> dict[str, str]:
    """The environment of the server: all its files lie in one folder, and saved logins are encrypted."""
    return {**dict.fromkeys(_FOLDERS, str(folder)), KEY: _KEY}


class OurToolsetHands(OurHands, ToolsetHands):
    """Our server with `--toolsets all`, and the environment of `variables` with the folder of the desk."""

    _code: Path
    """The test that was recorded last."""
    _trace: Path
    _heap: str
    _extension = ""

    def cookies(self, host: str = "") -> str:
        options: dict[str, object] = {"domain": host} if host else {}
        return self._call("cookies", "browser_cookies", **options)

    def cookie(self, name: str) -> str:
        return self._call("cookies", "browser_cookies", action="get", name=name)

    def set_cookie(self, name: str, value: str, *, host: str = "", path: str = "/", http_only: bool = False) -> str:
        options: dict[str, object] = {"domain": host} if host else {}
        cookie = f"{name}={value}; Path={path}{'; HttpOnly' if http_only else ''}"
        return self._call("cookies", "browser_cookies", action="set", cookie=cookie, **options)

    def delete_cookie(self, name: str) -> str:
        return self._call("cookies", "browser_cookies", action="delete", name=name)

    def clear_cookies(self) -> str:
        return self._call("cookies", "browser_cookies", action="clear")

    def stored(self, area: Area, key: str, *, frame: str = "") -> str:
        return self._call("storage", "browser_storage", area=area, action="get", key=key, **self._in_frame(frame))

    def store(self, area: Area, key: str, value: str, *, frame: str = "") -> str:
        named = self._in_frame(frame)
        return self._call("storage", "browser_storage", area=area, action="set", key=key, value=value, **named)

    def forget(self, area: Area, key: str) -> str:
        return self._call("storage", "browser_storage", area=area, action="delete", key=key)

    def clear_storage(self, area: Area) -> str:
        return self._call("storage", "browser_storage", area=area, action="clear")

    def records(self, database: str, store: str) -> str:
        return self._call("storage", "browser_storage", area="indexeddb", action="get", key=f"{database}/{store}")

    def cached(self, cache: str, url: str) -> str:
        return self._call("storage", "browser_storage", area="cache", action="get", key=url)

    def save_state(self, name: str) -> str:
        return self._call("state", "browser_state", action="save", name=name)

    def load_state(self, name: str) -> str:
        return self._call("state", "browser_state", action="load", name=name)

    def keep_requests(self) -> None:
        self._call("requests", "browser_requests")

    def requests(self, part: str = "") -> str:
        options: dict[str, object] = {"url": part} if part else {}
        return self._call("requests", "browser_requests", **options)

    def request(self, part: str) -> str:
        found = _REQUEST_ID.findall(self.requests(part))
        if not found:
            raise NotOnPage(f"no request {part!r}")
        return self._call("requests", "browser_requests", id=int(found[-1]), body=True)

    def mock(self, path: str, answer: Mock) -> str:
        options: dict[str, object] = {"body": answer.body} if answer.body else {}
        if answer.method:
            options["method"] = answer.method
        if answer.times is not None:
            options["times"] = answer.times
        headers = [f"Content-Type: {answer.content_type}"]
        return self._route("answer", path, status=answer.status, headers=headers, **options)

    def abort(self, path: str) -> str:
        return self._route("abort", path)

    def delay(self, path: str, seconds: float) -> str:
        return self._route("change", path, delay_s=seconds)

    def change(self, path: str, *, header: tuple[str, str] | None = None, without: str = "", body: str = "") -> str:
        options: dict[str, object] = {"body": body} if body else {}
        headers = [*([": ".join(header)] if header else []), *([f"{without}:"] if without else [])]
        return self._route("change", path, headers=headers, **options)

    def begin_har(self, name: str) -> str:
        return self._call("requests", "browser_requests")

    def save_har(self, name: str) -> str:
        return self._call("requests", "browser_requests", save=f"{name}.har")

    def replay_har(self, name: str) -> str:
        return self._call("routes", "browser_route", action="replay", har=f"{name}.har")

    def unroute(self) -> str:
        return self._call("routes", "browser_route", action="remove")

    def keep_login(self, origin: str, folder: Path) -> None:
        LoginFiles(variables(folder)).save("shop", Login(origin=origin, user=USER, password=PASSWORD))

    def fill_login(self) -> str:
        return self._call("login", "browser_login", name="shop")

    def send_login(self, origin: str) -> str:
        return self._call("routes", "browser_route", action="change", login="shop")

    def choose_account(self, ref: str, email: str) -> str:
        self.click(ref)
        options: dict[str, object] = {"action": "choose_account", "text": email}
        if not email:
            options = {"action": "dismiss_accounts"}
        return self.patiently(lambda: self._call("accounts", "browser_page", **options))

    def verify(self, check: Check, expected: str | Sequence[str], *, name: str = "", role: str = "") -> bool:
        options: dict[str, object] = {"ref": f'{role} "{name}"'} if name else {}
        if expected:
            options["expected"] = expected
        return _holds(self._call("verify", "browser_verify", check=check, **options))

    def read(self, *, frame: str = "", part: int = 1) -> str:
        options: dict[str, object] = {"part": part} if part > 1 else {}
        return self._call("read", "browser_read", **options, **self._in_frame(frame))

    def emulate(self, surroundings: Surroundings) -> str:
        return self._call("emulate", "browser_emulate", action="set", **_emulation(surroundings))

    def end_emulation(self) -> str:
        return self._call("emulate", "browser_emulate", action="reset")

    def vitals(self) -> str:
        return self._call("vitals", "browser_vitals")

    def begin_trace(self) -> str:
        return self._call("trace", "browser_trace", action="start")

    def end_trace(self) -> str:
        text = self._call("trace", "browser_trace", action="stop")
        self._trace = _path(_TRACE, text)
        return text

    @property
    def trace_file(self) -> Path:
        return self._trace

    def begin_profile(self) -> str:
        return self._call("profile", "browser_profile", action="start")

    def begin_coverage(self) -> str:
        return self._call("profile", "browser_profile", action="start", what="coverage")

    def end_profile(self) -> str:
        return self._call("profile", "browser_profile", action="stop")

    def take_heap(self) -> str:
        text = self._call("heap", "browser_heap")
        self._heap = _HEAP.findall(text)[0]
        return text

    def heap_changes(self) -> str:
        text = self._call("heap", "browser_heap", since=self._heap)
        self._heap = _HEAP.findall(text)[0]
        return text

    def heap_keepers(self, name: str) -> str:
        return self._call("heap", "browser_heap", file=self._heap, of=name)

    def heap_copies(self) -> str:
        return self._call("heap", "browser_heap", file=self._heap, show="strings")

    def record(self, name: str) -> str:
        return self._call("record", "browser_recording", action="start", name=name)

    def end_recording(self) -> str:
        text = self._call("record", "browser_recording", action="stop", show="pytest")
        self._code = _path(_TEST, text)
        return text

    def play_code(self, name: str) -> bool:
        code = self._code
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(code.parent)]
        return subprocess.run([*command, str(code)], cwd=code.parent, capture_output=True, timeout=120).returncode == 0

    def forward(self) -> str:
        return self._call("forward", "browser_page", action="forward")

    def reload(self) -> str:
        return self._call("reload", "browser_page", action="reload")

    def read_clipboard(self) -> str:
        return self._call("clipboard", "browser_page", action="clipboard_read")

    def write_clipboard(self, text: str) -> str:
        return self._call("clipboard", "browser_page", action="clipboard_write", text=text)

    def console_stacks(self, part: str) -> str:
        return self._call("console", "browser_page", action="console", text=part)

    def open_with_script(self, script: str, url: str) -> str:
        self._call("script_first", "browser_page", action="init_script", text=script)
        return self.navigate(url)

    def use_passkeys(self) -> str:
        return self._call("passkeys", "browser_page", action="passkeys")

    def page_tools(self) -> str:
        return self._call("page_tools", "browser_page", action="tools")

    def call_page_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        return self._call("page_tools", "browser_page", action="call_tool", name=name, text=json.dumps(arguments))

    def highlight(self, ref: str) -> str:
        return self._call("highlight", "browser_page", action="highlight", ref=ref)

    def end_highlight(self, ref: str) -> str:
        return self._call("highlight", "browser_page", action="highlight")

    def styles(self, ref: str) -> str:
        return self._call("inspect", "browser_inspect", ref=ref, show="styles")

    def drop_file(self, ref: str, path: Path) -> str:
        return self._call("drop", "browser_page", action="drop", ref=ref, text=json.dumps({"files": [str(path)]}))

    def load_extension(self, folder: Path) -> str:
        text = self._call("extension", "browser_page", action="extensions", text=str(folder))
        self._extension = _EXTENSION.findall(text)[0]
        return text

    def press_extension(self) -> str:
        return self._call("extension", "browser_page", action="click_extension", name=self._extension)

    def remove_extension(self) -> str:
        name, self._extension = self._extension, ""
        return self._call("extension", "browser_page", action="remove_extension", name=name)

    def save_pdf(self, name: str) -> Path:
        return self._captured(name, format="pdf")

    def save_picture(self, name: str, kind: Literal["png", "jpeg"], *, ref: str = "") -> Path:
        options: dict[str, object] = {"ref": ref} if ref else {}
        return self._captured(name, format=kind, **options)

    def keep_downloads(self, folder: Path) -> None:
        self._call("downloads", "browser_page", action="download_to", text=str(folder))

    def downloaded(self, name: str) -> Path:
        if not self.heard.has(rf'download name="{re.escape(name)}" complete'):  # the click may have waited for it
            self._call("wait", "browser_wait", until="download")
        listed = self._call("downloads", "browser_page", action="downloads")
        return _path(_PATH, next(line for line in listed.splitlines() if name in line))

    def undo(self) -> None:
        self._call_tool("browser_route", {"action": "remove"})
        self._call_tool("browser_emulate", {"action": "reset"})
        self._call_tool("browser_page", {"action": "remove_script"})
        self._call_tool("browser_page", {"action": "passkeys_off"})
        self._call_tool("browser_page", {"action": "highlight"})
        if self._extension:
            self._call_tool("browser_page", {"action": "remove_extension", "name": self._extension})
            self._extension = ""

    def fresh(self) -> None:
        super().fresh()
        self.undo()

    def _captured(self, name: str, **options: object) -> Path:
        return _path(_PATH, self._call("capture", "browser_capture", name=name, **options))

    def _route(self, action: str, path: str, **options: object) -> str:
        return self._call("routes", "browser_route", action=action, pattern=f"*/{path}", **options)

    def _in_frame(self, title: str) -> dict[str, object]:
        return {"frame_id": self._shown_ref(title, "iframe", "Iframe")} if title else {}


def _path(pattern: re.Pattern[str], text: str) -> Path:
    found = pattern.search(text)
    if found is None:
        raise NotOnPage(f"no path like {pattern.pattern} in {text}")
    return Path(found.group())


def _holds(text: str) -> bool:
    """A result's first word is whether the page is as expected."""
    return re.match(r"holds\b(?!=false)", text) is not None


def _emulation(wanted: Surroundings) -> dict[str, object]:
    width, height = wanted.size or (None, None)
    settings: dict[str, object] = {
        "width": width,
        "height": height,
        "scale": wanted.scale,
        "device": wanted.device,
        "color_scheme": "dark" if wanted.dark else None,
        "reduced_motion": wanted.less_motion,
        "contrast": "more" if wanted.more_contrast else None,
        "media": "print" if wanted.print else None,
        "locale": wanted.locale,
        "time_zone": wanted.time_zone,
        "geolocation": wanted.place,
        "permissions": [wanted.permission] if wanted.permission else None,
        "user_agent": wanted.user_agent,
        "network": wanted.network,
    }
    return {name: value for name, value in settings.items() if value}
