"""Pages beyond the caps of a snapshot: what it shows of them is what is there, as after every scenario."""

from __future__ import annotations

import pytest

from supervisor import CDPSupervisor
from tests.support.stages.stages import Stage, open_page


@pytest.mark.parametrize(("path", "total", "shown"), [("/many", 36, 30), ("/deep", 4, 2)])
def test_what_is_shown_of_a_page_with_too_many_frames_is_there(
    stage: Stage, supervisor: CDPSupervisor, path: str, total: int, shown: int
) -> None:
    open_page(supervisor, f"{stage.own}{path}")

    now = supervisor.wait_for(lambda now: now.frame_tree.total == total)

    assert (len(now.frame_tree.children), now.frame_tree.truncated) == (shown, True)
