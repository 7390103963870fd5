"""What belongs to a caller, by the settings of its supervisor, and what its raw commands may name."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockServer, Page
from supervisor import AsyncSupervisor
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.tools import Policy, PolicyRefused
from supervisor.tools.raw_commands.bounds import UNBOUND, Bounds, bounds_of
from supervisor.tools.raw_commands.checks import check

APART = Bounds(is_shared=True, has_own_context=True, contexts=frozenset({"own"}), pages=frozenset({"page"}))
TOGETHER = Bounds(is_shared=True, pages=frozenset({"page"}))

ALLOWED: list[tuple[Bounds, str, dict[str, Any]]] = [
    (APART, "Browser.getVersion", {}),
    (APART, "Target.getTargetInfo", {}),
    (APART, "Target.closeTarget", {"targetId": "page"}),
    (APART, "Target.createTarget", {"url": "https://a.example", "browserContextId": "own"}),
    (APART, "Browser.grantPermissions", {"permissions": ["midi"], "browserContextId": "own"}),
    (APART, "Network.getAllCookies", {}),
    (APART, "Network.setCookie", {"name": "a", "value": "b", "domain": "a.example"}),
    (APART, "Profiler.start", {}),
    (APART, "Fetch.enable", {}),
    (APART, "DOM.getOuterHTML", {"backendNodeId": 3}),
    (TOGETHER, "Network.getCookies", {}),
    (TOGETHER, "DOM.getOuterHTML", {"nodeId": 3}),
    (TOGETHER, "Runtime.evaluate", {"expression": "1"}),
]
REFUSED: list[tuple[Bounds, str, dict[str, Any], str]] = [
    (APART, "Target.closeTarget", {"targetId": "other"}, "its targetId is not one of the caller's own pages"),
    (APART, "Target.closeTarget", {"targetId": ["page"]}, "its targetId is not one of the caller's own pages"),
    (APART, "Target.createTarget", {"url": "about:blank"}, "give the caller's own browserContextId"),
    (APART, "Storage.getCookies", {}, "it reaches the whole browser"),
    (APART, "Page.notYetThere", {}, "it is not among the commands that are known to stay on the caller's own pages"),
    (APART, "DOM.setFileInputFiles", {"files": ["/a"], "nodeId": 1}, "the policy names no files"),
    (TOGETHER, "Target.createTarget", {"url": "about:blank"}, "no separate browser context"),
    (TOGETHER, "Network.getAllCookies", {}, "it reaches the whole browser context, and the caller has no"),
    (TOGETHER, "Network.getCookies", {"urls": ["https://a.example"]}, "it reaches cookies or storage of every site"),
    (TOGETHER, "Page.crash", {}, "it reaches other pages of the same process, window"),
    (TOGETHER, "DOM.getOuterHTML", {"backendNodeId": 3}, "name the node by nodeId or objectId"),
]


def test_what_is_the_callers_own_is_allowed() -> None:
    for bounds, method, params in ALLOWED:
        check(method, params, Policy(), bounds)
    check("DOM.setFileInputFiles", {"files": ["/srv/a"], "nodeId": 1}, Policy(allow_files=("/srv/*",)), APART)


@pytest.mark.parametrize(("bounds", "method", "params", "why"), REFUSED)
def test_a_refusal_is_one_sentence_that_says_why(bounds: Bounds, method: str, params: dict[str, Any], why: str) -> None:
    with pytest.raises(PolicyRefused) as refused:
        check(method, params, Policy(), bounds)

    assert why in str(refused.value)
    assert " is refused: " in str(refused.value)


async def test_the_settings_of_a_supervisor_say_what_is_its_callers(no_leaks: None) -> None:
    async with MockServer() as server, AsyncSupervisor(server.url) as whole:
        (page,) = whole.snapshot().pages
        everything = await bounds_of(whole, None)
        await whole.restrict(UrlRules(deny_private=True))
        assert (await bounds_of(whole, None)).url_rules == (UrlRules(deny_private=True),)
        async with AsyncSupervisor(server.url, scope="own", own_context=True) as own:
            apart = await bounds_of(own, None)
        async with AsyncSupervisor(server.url, scope="tab", target_id=page.target_id, own_context=True) as tab:
            beside = await bounds_of(tab, None)

    assert not everything.hold
    assert not UNBOUND.hold
    assert page.target_id in everything.pages
    assert (apart.is_shared, apart.has_own_context, page.target_id in apart.pages) == (True, True, False)
    assert (beside.is_shared, beside.has_own_context, beside.pages) == (True, False, frozenset({page.target_id}))


async def test_a_page_from_before_the_url_rules_is_not_the_callers(no_leaks: None) -> None:
    async with MockServer({"http://a.test/": Page()}) as server, AsyncSupervisor(server.url) as supervisor:
        opened = await supervisor.open_page("http://a.test/")
        await supervisor.restrict(UrlRules(deny_origins=("a.test",)))
        bounds = await bounds_of(supervisor, None)

    assert opened.target_id not in bounds.pages
    with pytest.raises(PolicyRefused, match=r"the page that it goes to was open before the URL rules"):
        check("Runtime.evaluate", {"expression": "1"}, Policy(), bounds)
