"""Documents of an opaque origin on Chromium: no dialog rule and no reader takes them for their address."""

from __future__ import annotations

import pytest

from supervisor import BlockedByDialog, CDPSupervisor, DialogRule
from supervisor.core.vocabulary.values import FrameTree
from tests.support.servers.sites import Response, Sites
from tests.support.stages.shared_browser import SharedBrowser


@pytest.mark.parametrize(
    "policy", ["sandbox allow-scripts allow-modals", "sandbox allow-modals allow-scripts allow-forms"]
)
def test_a_rule_for_an_origin_does_not_answer_a_document_in_a_sandbox(
    shared_chromium: SharedBrowser, sites: Sites, policy: str
) -> None:
    sites.pages["/user-content"] = Response("<p>theirs", headers={"Content-Security-Policy": policy})
    sites.pages["/"] = "<p>ours"
    rule = DialogRule(action="accept", origin=sites.local("/").rstrip("/"))
    with CDPSupervisor(shared_chromium.empty().ws_url, dialog_rules=(rule,)) as supervisor:
        supervisor.navigate(sites.local("/user-content"))
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("confirm('give it away?')")
        (dialog,) = supervisor.snapshot().pending_dialogs
        assert top_origin(supervisor.snapshot().frame_tree) == "null"
        supervisor.respond_to_dialog("dismiss", dialog_id=dialog.id)
        supervisor.navigate(sites.local("/"))
        assert supervisor.evaluate("confirm('go on?')").value is True


def test_the_frame_tree_says_null_for_a_frame_in_a_sandbox(shared_chromium: SharedBrowser, sites: Sites) -> None:
    sites.pages["/"] = "<p>theirs"
    sites.pages["/around"] = "<iframe sandbox=allow-scripts src='/'></iframe><iframe src='/'></iframe>"
    with CDPSupervisor(shared_chromium.empty().ws_url) as supervisor:
        supervisor.navigate(sites.local("/around"))
        own = sites.local("/").rstrip("/")
        now = supervisor.wait_for(
            lambda now: sorted(frame.origin for frame in now.frame_tree.children) == sorted([own, "null"])
        )
        assert top_origin(now.frame_tree) == own


@pytest.mark.parametrize("inner", ["src=about:blank", "srcdoc='<p>ours'", ""])
@pytest.mark.parametrize(("attributes", "is_own"), [("", True), ("sandbox=allow-scripts", False)])
def test_a_document_without_an_address_has_the_origin_that_it_inherited(
    shared_chromium: SharedBrowser, sites: Sites, inner: str, attributes: str, is_own: bool
) -> None:
    sites.pages["/around"] = f"<iframe {attributes} {inner}></iframe>"
    with CDPSupervisor(shared_chromium.empty().ws_url) as supervisor:
        supervisor.navigate(sites.local("/around"))
        expected = sites.local("/").rstrip("/") if is_own else "null"
        now = supervisor.wait_for(lambda now: [frame.origin for frame in now.frame_tree.children] == [expected])
        (child,) = now.frame_tree.children
        assert supervisor.evaluate("self.origin", child.frame_id).value == expected


def top_origin(tree: FrameTree) -> str:
    assert tree.top is not None
    return tree.top.origin
