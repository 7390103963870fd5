"""Some tests of the tools with a `Fleet` in place of `Toolbox`; `make fleet-tools` plays all of them."""

from __future__ import annotations

from tests.supervisor.tools.browser import test_browser_tools as whole_suite
from tests.supervisor.tools.browser.test_browser_tools import call, running
from tests.supervisor.tools.conftest import stage

__all__ = ["call", "running", "stage"]

CHOSEN = (
    whole_suite.test_navigating_there_and_back_again,
    whole_suite.test_navigating_to_a_page_that_asks_at_once_tells_its_dialog,
    whole_suite.test_a_snapshot_has_the_keys_that_agents_know,
    whole_suite.test_raw_commands_may_be_unknown_to_the_bindings,
    whole_suite.test_the_console_is_read_by_level_frame_and_cursor,
    whole_suite.test_tabs_are_opened_listed_selected_and_closed,
    whole_suite.test_an_address_that_is_a_script_runs_where_scripts_are_on,
    whole_suite.test_what_a_script_throws_is_page_text,
    whole_suite.test_waiting_for_a_text_goes_on_in_the_next_document,
    whole_suite.test_a_lone_surrogate_survives_every_way_out,
)

globals().update((test.__name__, test) for test in CHOSEN)
