"""Scripts for new documents on Chromium, judged by what the documents' own first scripts see."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import runtime
from supervisor.tools import Policy
from tests.support.servers.sites import Sites, iframe

from .conftest import Bench

SEES = "<title>p</title><script>first = typeof mark</script>"


def seen(bench: Bench, of: str = "page") -> str:
    """The type of the script's variable when the document's own first script ran."""
    (evaluated,) = bench.ask(runtime.Evaluate(expression="first"), of=of)
    return str(evaluated.result.value)


def test_it_runs_first_in_each_new_document_until_it_is_removed(bench: Bench, sites: Sites) -> None:
    sites.pages |= {"/inner": SEES, "/page": SEES + iframe(sites.remote("/inner"))}
    bench.open(sites.local("/page"))
    assert seen(bench) == "undefined"

    added = bench.call("browser_page", action="init_script", text="mark = 1")

    assert added["scripts"] == [{"id": "script-1", "source": "mark = 1"}]
    assert seen(bench) == "undefined"
    bench.open(sites.local("/page"))
    assert (seen(bench), seen(bench, of="iframe")) == ("number", "number")
    bench.call("browser_tabs", action="open", url=sites.remote("/inner"))
    assert bench.call("browser_evaluate", expression="first")["value"] == "number"
    assert bench.call("browser_page", action="init_script")["scripts"] == added["scripts"]
    assert bench.call("browser_page", action="remove_script", name="script-1")["scripts"] == []
    bench.open(sites.local("/page"))
    assert bench.call("browser_evaluate", expression="first")["value"] == "undefined"
    assert bench.call("browser_page", action="remove_script", name="script-1")["error_type"] == "UnknownInitScript"


def test_one_that_is_added_beside_a_dialog_runs_in_the_next_document(bench: Bench, sites: Sites) -> None:
    bench.show(SEES)
    bench.call("browser_evaluate", expression="alert('wait')")

    assert bench.call("browser_page", action="init_script", text="mark = 1")["success"]
    bench.call("browser_dialog", action="accept")
    bench.open(sites.remote("/page"))
    assert seen(bench) == "number"


def test_one_that_does_not_parse_is_refused(bench: Bench) -> None:
    bench.show(SEES)

    refused = bench.call("browser_page", action="init_script", text="mark = ;")

    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "text")
    assert "SyntaxError: Unexpected token ';'" in refused["error"]
    assert bench.call("browser_page", action="init_script")["scripts"] == []
    assert bench.call("browser_page", action="init_script", text="throw mark = 1")["success"]
    assert seen(bench) == "undefined"


@pytest.mark.parametrize("denied", ["Page.addScriptToEvaluateOnNewDocument", "Runtime.evaluate"])
def test_a_policy_that_denies_scripts_denies_it(bench: Bench, denied: str) -> None:
    bench.show(SEES)
    held = bench.under(Policy(deny_methods=(denied,)))

    assert held("browser_page", action="init_script", text="mark = 1")["error_type"] == "Refused"
    assert held("browser_page", action="init_script")["scripts"] == []
