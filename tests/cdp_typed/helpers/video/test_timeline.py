"""The scenes of a video, from notes about a page."""

from __future__ import annotations

import pytest

from cdp_typed.helpers.shared.video.scenes import Caption, Chapter, Dialog, Note, PagePicture, PointerPlace, Scene, Shot
from cdp_typed.helpers.shared.video.video_timeline import GLIDE_S, RING_S, BrowserClock, VideoTimeline

FPS = 10
T = 1000.0


def picture(at: float) -> PagePicture:
    return PagePicture(at, b"", 100, 100)


def shots(until: float, *notes: Note, is_end: bool = False) -> list[Shot]:
    """The scenes, asked for every tenth of a second, as the writer does."""
    timeline = VideoTimeline(FPS)
    for note in notes:
        timeline.add(note)
    steps = [T + number / FPS for number in range(round((until - T) * FPS))]
    made = [shot for step in steps for shot in timeline.advance(step)]
    return [*made, *timeline.advance(until, is_end=is_end)]


def times(made: list[Shot]) -> list[float]:
    return [round(shot.at, 3) for shot in made]


def test_a_scene_comes_once_until_it_changes_and_again_after_a_second() -> None:
    first, second = picture(T), picture(T + 0.45)

    made = shots(T + 1.6, first, second)

    assert [(round(shot.at, 1), shot.scene) for shot in made] == [
        (0.0, Scene(picture=first)),
        (0.5, Scene(picture=second)),
        (1.5, Scene(picture=second)),
    ]


def test_the_last_scene_is_written_again_at_the_end_also_one_that_comes_just_before() -> None:
    assert times(shots(T + 0.7, picture(T), is_end=True)) == [0.0, 0.7]
    last = picture(T + 0.01)

    made = shots(T + 0.02, picture(T), last, is_end=True)

    assert (times(made), made[-1].scene.picture) == ([0.0, 0.02], last)


def test_nothing_is_written_before_the_first_picture_or_chapter() -> None:
    assert shots(T + 5, PointerPlace(T, 1, 1), Caption(T, "click", 1)) == []
    assert shots(T + 5, is_end=True) == []
    assert times(shots(T + 1.05, PointerPlace(T, 1, 1), picture(T + 1))) == [0.0]


def test_a_chapter_adds_its_time_and_nothing_of_the_page_is_missed() -> None:
    before, after = picture(T), picture(T + 0.4)
    chapter = Chapter(T + 0.2, "Login", "", 3.0)

    made = shots(T + 0.65, before, chapter, after)

    assert [(round(shot.at, 1), shot.scene) for shot in made] == [
        (0.0, Scene(picture=before)),
        (0.2, Scene(picture=before, chapter=chapter)),
        (3.2, Scene(picture=before)),
        (3.4, Scene(picture=after)),
    ]


def test_the_pointer_glides_to_a_press_and_is_there_when_it_presses() -> None:
    made = shots(T + 1.01, picture(T), PointerPlace(T, 0, 0), PointerPlace(T + 1, 100, 50, is_pressed=True))

    places = {round(shot.at, 1): shot.scene.pointer or (-1, -1) for shot in made}
    assert places[0.0] == (0, 0)
    assert max(places[at][0] for at in places if at < 1 - GLIDE_S - 0.01) == 0
    assert places[0.8] == pytest.approx((50, 25))
    assert places[1.0] == (100, 50)


def test_a_ring_grows_around_a_press_and_is_gone_after_half_a_second() -> None:
    made = shots(T + 1.0, picture(T), PointerPlace(T + 0.2, 5, 5, is_pressed=True))

    rings = {round(shot.at, 1): shot.scene.ring for shot in made}
    assert rings[0.0] is None
    assert rings[0.2] == pytest.approx(0.0, abs=1e-9)
    assert rings[0.4] == pytest.approx(0.2 / RING_S)
    assert rings[0.7] is None


def test_a_caption_stays_for_its_seconds_or_until_the_next_one_and_a_dialog_until_it_has_closed() -> None:
    captions = shots(T + 1.0, picture(T), Caption(T, "one", 0.5), Caption(T + 0.3, "two", 0.2))
    dialogs = shots(T + 1.0, picture(T), Dialog(T + 0.2, "alert: hello"), Dialog(T + 0.6, ""))

    assert [(round(shot.at, 1), shot.scene.caption) for shot in captions] == [(0.0, "one"), (0.3, "two"), (0.5, "")]
    assert [(round(shot.at, 1), shot.scene.dialog) for shot in dialogs] == [(0.0, ""), (0.2, "alert: hello"), (0.6, "")]


def test_a_picture_that_the_browser_encoded_later_does_not_replace_a_newer_one() -> None:
    newer, older = picture(T + 0.3), picture(T + 0.2)
    timeline = VideoTimeline(FPS)
    timeline.add(picture(T))
    timeline.add(newer)
    assert list(timeline.advance(T + 0.35))[-1].scene.picture is newer

    timeline.add(older)

    assert [shot.scene.picture for shot in timeline.advance(T + 2)] == [newer]


def test_it_goes_on_with_the_clock_of_a_browser_that_was_put_back() -> None:
    later, put_back = picture(T + 30), picture(T + 5)
    timeline = VideoTimeline(FPS)
    timeline.add(later)
    list(timeline.advance(T + 31))

    timeline.add(put_back)

    assert [shot.scene.picture for shot in timeline.advance(T + 31.1)] == [put_back]


def test_a_writer_that_is_far_behind_leaves_scenes_out_and_keeps_their_times() -> None:
    notes = [picture(T + number / FPS) for number in range(100)]

    timeline = VideoTimeline(FPS)
    for note in notes:
        timeline.add(note)

    made = list(timeline.advance(T + 9.95))

    assert len(made) < 60
    assert made[-1].scene.picture is notes[-1]
    for shot in made:
        assert shot.scene.picture is notes[round(shot.at * FPS)]


def test_times_of_the_browser_become_those_of_this_machine() -> None:
    now = 5000.0
    clock = BrowserClock(lambda: now)

    assert clock.here(None) == 5000.0
    assert clock.here(100.0) == 5000.0  # took 0.3 s, which nobody knows yet
    now = 5001.0
    assert clock.here(101.3) == 5001.0  # came at once
    now = 5002.0
    assert clock.here(102.0) == pytest.approx(5001.7)
    now = 5003.0
    assert clock.here(200.0) == 5003.0  # never in the future
