"""The restrictions of a supervisor on navigation, on the mock and on real Chromium."""

from __future__ import annotations

from supervisor import CDPSupervisor, NavigationFailed, UrlRules
from tests.support.stages.stages import Stage


def goes(supervisor: CDPSupervisor, url: str) -> bool:
    """Navigate the page; false if the navigation fails."""
    try:
        supervisor.navigate(url, timeout_s=20)
    except NavigationFailed:
        return False
    return True


def test_restrictions_add_up_and_outlive_a_stop(stage: Stage) -> None:
    own, other = f"{stage.own}/plain", f"{stage.other}/plain"
    supervisor = stage.supervisor()
    supervisor.restrict(UrlRules(deny_origins=(stage.other,)))
    with supervisor:
        assert [goes(supervisor, url) for url in (own, other, f"{stage.own}/moved")] == [True, False, False]
        refused = [change.text for change in supervisor.changes_since(0).changes if change.kind == "navigation_refused"]
        assert refused == [f"its origin is denied: {stage.other}"] * 2
        supervisor.restrict(UrlRules(allow_origins=(stage.other,)))
        assert (goes(supervisor, own), goes(supervisor, other)) == (False, False)
    supervisor.restrict(UrlRules(deny_private=True))
    with supervisor:
        assert (goes(supervisor, own), goes(supervisor, other)) == (False, False)
        assert goes(supervisor, "about:blank")


def test_what_is_not_refused_loads_as_ever(stage: Stage) -> None:
    with stage.supervisor() as supervisor:
        supervisor.restrict(UrlRules(allow_origins=("*",), deny_origins=("elsewhere.test",)))
        assert goes(supervisor, f"{stage.own}/moved")
        assert supervisor.snapshot().pages[0].url == f"{stage.other}/plain"
        assert goes(supervisor, f"{stage.own}/frames")
        supervisor.wait_for(
            lambda now: (
                {frame.url for frame in now.frame_tree.children} == {f"{stage.other}/inner", f"{stage.own}/local"}
            ),
            timeout_s=20,
        )
