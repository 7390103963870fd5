"""The tools that touch the page as an agent calls them: arguments in, JSON out, on real Chromium."""

from __future__ import annotations

import re

from supervisor import SupervisorRegistry
from tests.supervisor.tools.conftest import MakeBox, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.stages import Stage

FORM = """<!doctype html><title>Form</title><link rel=icon href=data:,><input aria-label=Name>
<button onclick="if (confirm('Send ' + document.querySelector('input').value + '?')) document.title = 'Sent'">Send
</button>"""


def test_an_agent_fills_in_a_form_in_an_iframe_and_meets_its_dialog(
    registry: SupervisorRegistry, sites: Sites, make_box: MakeBox
) -> None:
    sites.pages.update(
        {"/form": FORM, "/top": f"<!doctype html><link rel=icon href=data:,>{iframe(sites.remote('/form'))}"}
    )
    with launched(omnibox=False) as browser:
        call = calls(make_box(Stage("chromium", browser.ws_url, sites.local(""), sites.remote(""))))
        call("browser_navigate", url=sites.local("/top"))
        call("browser_wait", until="load")
        seen = call("browser_snapshot", interactive_only=True)
        refs = dict(re.findall(r'(textbox|button) "\w+" \[ref=(e\d+)\]', seen["page"]))

        typed = call("browser_type", ref=refs["textbox"], text="Ann")
        clicked = call("browser_click", ref=refs["button"])
        below = call("browser_click", ref=refs["button"])
        answered = call("browser_dialog", action="accept")
        after = call("browser_click", ref="e0")
        registry.stop_all()

    assert "page" in seen["untrusted"]
    assert (typed["success"], typed["value"], typed["untrusted"]) == (True, "Ann", ["value"])
    (dialog,) = clicked["pending_dialogs"]
    assert (clicked["success"], clicked["opened_dialog"], dialog["message"]) == (True, dialog["id"], "Send Ann?")
    assert clicked["hint"] == "A dialog opened: answer it with browser_dialog; do not repeat the click."
    assert (below["error_type"], below["maybe_executed"]) == ("BlockedByDialog", False)
    assert answered["success"] is True
    assert (after["error_type"], after["maybe_executed"]) == ("UnknownRef", False)
