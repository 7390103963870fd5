"""Dialogs of windows that have their opener's origin without an address of it: on real Chromium."""

from __future__ import annotations

import pytest

from supervisor import BlockedByDialog, CDPSupervisor
from tests.support.stages.stages import Stage, open_page

EMPTY = "opened = open('')"
BLOB = "opened = open(URL.createObjectURL(new Blob(['<h1>blob'], {type: 'text/html'})))"
PICTURE_IN_PICTURE = "documentPictureInPicture.requestWindow().then(made => { opened = made })"


@pytest.mark.parametrize("stage", ["chromium"], indirect=True)
@pytest.mark.parametrize("opens", [EMPTY, BLOB, PICTURE_IN_PICTURE])
def test_the_dialog_of_a_window_ends_the_call_of_its_opener(
    stage: Stage, supervisor: CDPSupervisor, opens: str
) -> None:
    opener = open_page(supervisor, f"{stage.own}/plain").pages[0].target_id
    supervisor.evaluate(f"{opens}, 0", opener, user_gesture=True)
    supervisor.wait_for(lambda now: len(now.pages) == 2, timeout_s=10)
    supervisor.evaluate("new Promise(done => opened.setTimeout(done))", opener)

    with pytest.raises(BlockedByDialog) as blocked:
        supervisor.evaluate("opened.answer = opened.confirm('here?')", opener)
    supervisor.respond_to_dialog("accept", dialog_id=blocked.value.dialog.id)

    assert supervisor.evaluate("opened.answer", opener).value is True
