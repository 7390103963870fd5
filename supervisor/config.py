"""A supervisor's settings, checked once: from keyword arguments, a mapping, a file or the environment."""

from __future__ import annotations

import os
import secrets
import ssl as tls
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias, TypedDict, get_type_hints

from msgspec import Meta, Struct

from cdp_typed.addresses import redact
from cdp_typed.endpoint.sources import Renewable
from cdp_typed.spelling import closest
from cdp_typed.wire.json_text import is_object

from .bridge import script
from .core.bridge.bridge import ALWAYS
from .core.dialogs.rules import check as check_rule
from .core.dialogs.rules import rules_of_settings
from .core.state.bridge import Bridge, Interception
from .core.state.connection import ConnectionState, ReconnectPolicy
from .core.state.dialogs import DialogRateLimit, Dialogs
from .core.state.frames import Frames, FrameTreeLimits
from .core.state.observed import Blockers, ConsoleLog, NetworkRequests
from .core.state.pages import PageOwnership, Scope, SessionSettings, Switches
from .core.state.world import State, World
from .core.vocabulary.errors import InvalidConfig
from .core.vocabulary.known_names import KnownNames, check_names
from .core.vocabulary.setting_values import PREFIX, Count, ProxyServer, Seconds, check, convert, once
from .core.vocabulary.values import BridgeMode, DialogPolicy, DialogRule

FEATURES = "--disable-features="
OMNIBOX = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Chromium 156 keeps these pages for the address bar of every browser context. They take a process and 35 MB for each
task."""
SECTION = "browser"
"""The section of a mapping or file that is read: `browser.cdp_url`, `browser.dialog_policy`, ..."""

Endpoint: TypeAlias = str | Renewable

_NOT_CHECKED = frozenset({"cdp_url", "ssl"})


class Settings(TypedDict, total=False):
    """The keyword arguments besides the address; `Config` explains each."""

    headers: Mapping[str, str]
    proxy: str | None
    ssl: tls.SSLContext | None
    ping_interval_s: float | None
    dialog_policy: DialogPolicy
    dialog_timeout_s: float
    dialog_rules: tuple[DialogRule, ...]
    dialog_storm_limit: int
    dialog_storm_window_s: float
    dialog_bridge: BridgeMode
    bridge_bypass_csp: bool
    call_timeout_s: float
    scope: Scope
    target_id: str | None
    own_context: bool
    context_proxy: str | None
    own_windows: bool
    console_capacity: int
    recent_dialogs: int
    frame_tree_limit: int
    frame_tree_oopif_depth: int
    watch_file_choosers: bool
    owns_browser: bool
    watch_requests: bool
    watch_debugger: bool
    watch_http_auth: bool
    record_to: str | None
    record_screenshots: bool
    record_screenshot_quality: int
    record_secrets: bool
    reconnect_attempts: int
    reconnect_window_s: float


class Config(Struct, frozen=True, kw_only=True, metaclass=KnownNames):
    """Checked when it is created. `InvalidConfig` names the setting, its value and the values that are allowed.

    Its `repr` shows no secret.
    """

    cdp_url: Endpoint
    """`ws://`, `wss://`, `http(s)://host:port` or `host:port`; or a callable, also an async one, that returns such a
    text and is called for each dial, for addresses whose signature expires. It may return a
    `cdp_typed.launch.SharedBrowser` in place of a text."""
    headers: Mapping[str, str] = {}
    """Sent with every request to the browser."""
    proxy: str | None = None
    """An HTTP proxy, `http://[user:password@]host:port`; never used for loopback."""
    ssl: tls.SSLContext | None = None
    """For `wss` and `https`, in place of the system's trust."""
    ping_interval_s: Seconds | None = 10.0
    """So often the browser is asked for a sign of life, in seconds; it is lost when then nothing comes for as long.
    `None`: never."""
    dialog_policy: DialogPolicy = "must_respond"
    dialog_timeout_s: Seconds = 300.0
    """The seconds after which the watchdog dismisses a dialog that was not answered."""
    dialog_rules: tuple[DialogRule, ...] = ()
    """Asked in this order before the policy, and after the rules of `arm_dialog`."""
    dialog_storm_limit: Annotated[int, Meta(ge=1)] = 20
    """A page that opens more dialogs than this within `dialog_storm_window_s` has the further ones dismissed."""
    dialog_storm_window_s: Seconds = 5.0
    """In seconds; so long must such a page be quiet until its dialogs are answered as ever."""
    dialog_bridge: BridgeMode = "auto"
    """The dialog bridge: pages ask the supervisor itself instead of showing dialogs. `auto`: only where another service
    answers dialogs before an agent can see them. See docs/supervisor.md."""
    bridge_bypass_csp: bool = False
    """Switches sites' own Content-Security-Policy off (`Page.setBypassCSP`) where the bridge is and the policy would
    forbid it. This takes protection from the pages; without it, their dialogs come natively there."""
    call_timeout_s: Seconds = 30.0
    """The deadline of a call that gives no other, in seconds."""
    scope: Scope = "browser"
    """`browser`: every page. `shared`: the same, but only pages that were opened or selected are managed, and their
    popups. `tab`: the page `target_id`, and the popups it opens. `own`: a page that the supervisor
    opens, and its popups. Of other pages nothing is known, and nothing is done to them."""
    target_id: str | None = None
    """For the scope `tab`."""
    own_context: bool = False
    """Pages that the supervisor opens live in a separate browser context (cookies, storage, cache), which ends with
    the supervisor."""
    context_proxy: ProxyServer | None = None
    """With `own_context`: the proxy through which its pages go, `http://host:port` or `socks5://host:port`. They go to
    loopback without it."""
    own_windows: bool = False
    """Each page that the supervisor opens gets a new window, which takes no focus. Without it, Chromium opens a tab in
    the window that was used last, which may be a person's."""
    console_capacity: Annotated[int, Meta(ge=1, le=10_000)] = 50
    """The number of console messages that are held."""
    recent_dialogs: Annotated[int, Meta(ge=1, le=10_000)] = 20
    """The number of closed dialogs that are held in `SupervisorSnapshot.recent_dialogs`."""
    frame_tree_limit: Annotated[int, Meta(ge=1, le=10_000)] = 30
    """The number of frames below the top frame in `SupervisorSnapshot.frame_tree`."""
    frame_tree_oopif_depth: Annotated[int, Meta(ge=0, le=100)] = 2
    """The number of out-of-process iframes inside one another in `SupervisorSnapshot.frame_tree`. 0: none."""
    watch_file_choosers: bool = True
    """File choosers become blockers, to be answered by `choose_files`, and are not shown to a person."""
    owns_browser: bool = False
    """No other client steers this browser. It reports the file and the end of each download, also after the tab has
    closed (`Browser.setDownloadBehavior`, which would override another client's). Where they go to, and whether they
    may, stays as it was."""
    watch_requests: bool = False
    """The last 300 requests are kept, and in the browser their bodies (`Network.enable` on every session)."""
    watch_debugger: bool = False
    """Scripts stop at `debugger` statements, and such a stop becomes a blocker (`Debugger.enable` on every session)."""
    watch_http_auth: bool = False
    """A server that asks for a name and a password becomes a blocker, to be answered by `answer_auth`. For this the
    browser holds every request until it has been let go (`Fetch.enable` for everything), which costs a round trip."""
    reconnect_attempts: Count = 15
    """So many lost connections and failed dials within `reconnect_window_s` are borne; one more is final. 0: the first
    lost connection is final."""
    reconnect_window_s: Seconds = 120.0
    """The window, in seconds; without a working connection for so long it is final, too."""

    record_to: str | None = None
    """The flight recorder: a new file at each start, with all that is said and asked, as JSON Lines. Nothing is
    overwritten: if `flight.jsonl` exists, the next one is `flight-2.jsonl`, then `flight-3.jsonl`.
    Credentials, bodies of requests and typed texts are left out (docs/report.md says which); other content of pages is
    not."""
    record_screenshots: bool = False
    """The flight recorder keeps pictures of the managed pages (`Page.captureScreenshot`): of each document that has
    loaded, after each call of a tool, and when a dialog has closed. 300 of them and 16 MiB at most; while a dialog is
    open, none."""
    record_screenshot_quality: Annotated[int, Meta(ge=1, le=100)] = 50
    """The quality of these pictures as JPEG."""
    record_secrets: bool = False
    """The flight recorder leaves nothing out, and the head of its file says so."""

    def __post_init__(self) -> None:
        if not (isinstance(self.cdp_url, str) or callable(self.cdp_url)):
            raise InvalidConfig("cdp_url", self.cdp_url, "a text, or a callable that returns one or a shared browser")
        for key, kind in _kinds().items():
            check(key, getattr(self, key), kind)
        for number, rule in enumerate(self.dialog_rules):
            check_rule(f"dialog_rules[{number}]", rule)
        if (self.target_id is not None) != (self.scope == "tab"):
            raise InvalidConfig("target_id", self.target_id, "a target id with the scope tab, nothing with others")
        if self.context_proxy is not None and not self.own_context:
            raise InvalidConfig("context_proxy", self.context_proxy, "own_context=True with it")
        for key in ("record_screenshots", "record_secrets"):
            if getattr(self, key) and self.record_to is None:
                raise InvalidConfig(key, True, "a recording to keep them in: record_to")

    def __repr__(self) -> str:
        shown = redact(self.cdp_url) if isinstance(self.cdp_url, str) else "a callable"
        return f"<Config {shown}>"

    def beginning(self, bridge_secret: str | None = None) -> State:
        """The state of a supervisor with these settings that has seen nothing yet. The secret of its bridge is made
        anew, unless an earlier run is to be stepped through again."""
        return State(
            World(
                connection=ConnectionState(
                    reconnect_policy=ReconnectPolicy(attempts=self.reconnect_attempts, window_s=self.reconnect_window_s)
                ),
                dialogs=Dialogs(
                    policy=self.dialog_policy,
                    timeout_s=self.dialog_timeout_s,
                    capacity=self.recent_dialogs,
                    rules=rules_of_settings(self.dialog_rules),
                    rate_limit=DialogRateLimit(limit=self.dialog_storm_limit, window_s=self.dialog_storm_window_s),
                ),
                frames=Frames(
                    limits=FrameTreeLimits(count=self.frame_tree_limit, oopif_depth=self.frame_tree_oopif_depth)
                ),
                page_ownership=PageOwnership(
                    scope=self.scope,
                    target_id=self.target_id,
                    wants_context=self.own_context,
                    context_proxy=self.context_proxy,
                    own_windows=self.own_windows,
                ),
                bridge=self._bridge(bridge_secret or secrets.token_hex(16)),
                session_settings=SessionSettings(
                    wanted=Switches(
                        focus=True,
                        file_choosers=self.watch_file_choosers,
                        debugger=self.watch_debugger,
                        account_choosers=True,
                    )
                ),
                blockers=Blockers(owns_browser=self.owns_browser),
                interception=Interception(http_auth=self.watch_http_auth),
                network_requests=NetworkRequests(is_watched=self.watch_requests),
                console=ConsoleLog(capacity=self.console_capacity),
            )
        )

    def _bridge(self, secret: str) -> Bridge:
        is_armed = self.dialog_bridge == "always"
        return Bridge(
            mode=self.dialog_bridge,
            bypasses_csp=self.bridge_bypass_csp,
            script=script() if self.dialog_bridge != "never" else "",
            secret=secret,
            is_armed=is_armed,
            reason=ALWAYS if is_armed else "",
        )

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> Self:
        """Settings from the section `browser` of a mapping: nested, `{"browser": {"dialog_policy": ...}}`, or with
        dots, `{"browser.dialog_policy": ...}`. The method ignores other sections, and keys of
        that section that it does not know: they may belong to a host program.

        Raises `InvalidConfig` for a key that looks like a mistyped setting, a bad value, and when there is no such
        section.
        """
        given: list[tuple[str, Any]] = []
        keys: list[object] = [*mapping]  # of a file: also numbers
        names = [key for key in keys if isinstance(key, str)]
        for key in names:
            if key == SECTION and is_object(mapping[key]):
                given += mapping[key].items()
            elif key.startswith(f"{SECTION}."):
                given.append((key.removeprefix(f"{SECTION}."), mapping[key]))
        if not given:
            raise InvalidConfig(SECTION, sorted(names), f"a section {SECTION!r} with settings")
        settings = _once(given, lambda key: f"{SECTION}.{key}")
        known = frozenset(cls.__struct_fields__) - {"ssl"}
        ours = {key: value for key, value in settings.items() if _is_meant(key, known)}
        return cls._from(ours, lambda key: f"{SECTION}.{key}", strict=True)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Settings from the section `browser` of a TOML file, or of a YAML file with the extra `yaml`.

        Raises `InvalidConfig` as `from_mapping` does, and for a file that cannot be read as what its name says.
        """
        path = Path(path)
        kinds = {".toml": _read_toml, ".yaml": _read_yaml, ".yml": _read_yaml}
        read = kinds.get(path.suffix.lower())
        if read is None:
            raise InvalidConfig("file", path.name, "a name that ends in .toml, .yaml or .yml")
        try:
            content = read(path)
        except (OSError, ValueError, RecursionError) as error:
            raise InvalidConfig("file", path.name, f"a readable {path.suffix[1:]} file ({error})") from None
        if not is_object(content):
            raise InvalidConfig("file", path.name, "sections with settings")
        return cls.from_mapping(content)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Settings from variables such as `CDP_SUPERVISOR_CDP_URL`; what is no text is written as JSON.

        Raises `InvalidConfig` for an unknown name with that prefix, a bad value, and when the URL is missing.
        """
        ours = [
            (name.removeprefix(PREFIX).lower(), text) for name, text in environment.items() if name.startswith(PREFIX)
        ]

        def named(key: str) -> str:
            return PREFIX + key.upper()

        return cls._from(_once(ours, named), named, strict=False)

    @classmethod
    def _from(cls, settings: Mapping[str, Any], named: Callable[[str], str], *, strict: bool) -> Self:
        check_names(settings, frozenset(cls.__struct_fields__) - {"ssl"}, named)
        if "cdp_url" not in settings:
            raise InvalidConfig(named("cdp_url"), None, "the address of a browser")
        kinds = _kinds()
        values = {
            key: value if key == "cdp_url" else convert(named(key), value, kinds[key], strict=strict)
            for key, value in settings.items()
        }
        return cls(**values)


def config_of(cdp_url: Endpoint, settings: Mapping[str, Any]) -> Config:
    """Make a config of keyword arguments. Raises `InvalidConfig`, also for a name that is no setting."""
    check_names(settings, frozenset(Config.__struct_fields__) - {"cdp_url"})
    return Config(cdp_url=cdp_url, **settings)


def _once(given: Sequence[tuple[str, Any]], named: Callable[[str], str]) -> dict[str, Any]:
    """The settings. Raises `InvalidConfig` for one that is given twice, which is never the secret of either value."""
    settings = dict(given)
    for key in settings if len(settings) < len(given) else ():
        if [name for name, _ in given].count(key) > 1:
            raise InvalidConfig(named(key), "(given twice)", "one value")
    return settings


def _is_meant(key: object, known: Collection[str]) -> bool:
    """True for a known key, and for one that looks like a mistyped known key."""
    return isinstance(key, str) and (key in known or bool(closest(key, known, cutoff=0.85)))


@cache
def _kinds() -> Mapping[str, Any]:
    hints = get_type_hints(Config, include_extras=True)
    return {key: kind for key, kind in hints.items() if key in Config.__struct_fields__ and key not in _NOT_CHECKED}


def _read_toml(path: Path) -> Any:
    return tomllib.loads(path.read_text("utf-8"))


def _read_yaml(path: Path) -> Any:
    try:
        import yaml  # of an extra
    except ModuleNotFoundError:
        raise InvalidConfig("file", path.name, "a .toml file; for YAML: pip install 'cdp-typed[yaml]'") from None

    class Loader(yaml.SafeLoader):
        """Refuses a name that is given twice: one of its values would be lost."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            once([(key.value, None) for key, _ in node.value if isinstance(key, yaml.ScalarNode)])
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(path.read_text("utf-8"), Loader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
