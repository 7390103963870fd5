"""Personalities: browsers and services that differ from a local Chrome.

async with MockServer(site, personality=PERSONALITIES["slow_remote"]) as mock: ...
MockServer(site, personality=replace(PERSONALITIES["slow_remote"], latency_s=0.2))
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from cdp_typed.mock.control.stubs import Answer, Refuse, Rule
from cdp_typed.mock.engine.handle import version
from cdp_typed.mock.state.error_texts import Text, not_found

__all__ = ["LOCAL", "PERSONALITIES", "Personality"]


class Personality(Struct, frozen=True, kw_only=True):
    """The differences from a local Chrome; none by default.

    `dialogs_end_after_s`: an intermediary dismisses every dialog after so many seconds; with 0, before any client can
    handle it. `latency_s` passes before a message goes out, and up to `jitter_s` more, chosen with `seed`; their order
    stays. `urls_expire_s`: the websocket URL carries a token that is valid for so many seconds. `missing` are methods
    that the browser does not have, `refused` those that the service forbids. `chromium` is the version that it claims
    to be like, `product` its name. `drops_pings`: a websocket ping ends the connection without a close frame.
    """

    dialogs_end_after_s: float | None = None
    refused: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    latency_s: float = 0.0
    jitter_s: float = 0.0
    seed: int = 0
    closes_with_any_client: bool = False
    urls_expire_s: float | None = None
    chromium: int = 156
    product: str = "MockChrome"
    drops_pings: bool = False

    def rules(self) -> list[Rule]:
        """Return the rules that apply in place of the model."""
        refusals = {
            **dict.fromkeys(self.refused, Text.NOT_ALLOWED.value),
            **{method: not_found(method) for method in self.missing},
        }
        rules = [Rule(method, Refuse(refusal)) for method, refusal in refusals.items()]
        if (self.chromium, self.product) != (LOCAL.chromium, LOCAL.product):
            rules.append(Rule("Browser.getVersion", Answer(version(self.chromium, self.product))))
        return rules


LOCAL: Final = Personality()

_NEWER_METHODS: Final = frozenset(
    {
        "Browser.setContentsSize",
        "Network.setCookieControls",
        "Page.getAnnotatedPageContent",
        "Page.startScreenRecording",
        "Runtime.getExceptionDetails",
        "Storage.setStorageBucketTracking",
        "Target.getDevToolsTarget",
        "Target.openDevTools",
    }
)

PERSONALITIES: Final[dict[str, Personality]] = {
    "local": LOCAL,
    "proxy_answers_dialogs": Personality(dialogs_end_after_s=0.01),
    "instant_dialogs": Personality(dialogs_end_after_s=0.0),
    "no_auto_attach": Personality(refused=frozenset({"Target.setAutoAttach"})),
    "slow_remote": Personality(latency_s=0.05, jitter_s=0.05),
    "one_leaves_all_leave": Personality(closes_with_any_client=True),
    "signed_urls": Personality(urls_expire_s=30.0),
    "older_protocol": Personality(missing=_NEWER_METHODS),
    "named_chrome": Personality(product="Chrome"),
    "drops_pings": Personality(chromium=92, drops_pings=True),
}
"""By the name that `python -m cdp_typed.mock --personality` takes."""
