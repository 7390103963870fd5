"""A video that is written from pictures, decoded again."""

from __future__ import annotations

import sys
import time
from io import BytesIO
from pathlib import Path

import pytest

from cdp_typed.helpers import Video, VideoLibrariesMissing, VideoNotWritten
from tests.cdp_typed.helpers.video.decoded_videos import at, decoded, film, is_like, pixels

pytestmark = pytest.mark.thorough
"""It needs Pillow and PyAV, which `make test` does without."""

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)


def jpeg(colour: tuple[int, int, int], size: tuple[int, int] = (400, 300)) -> bytes:
    from PIL import Image

    written = BytesIO()
    Image.new("RGB", size, colour).save(written, "JPEG", quality=95)
    return written.getvalue()


def show(video: Video, colour: tuple[int, int, int], when: float, size: tuple[int, int] = (400, 300)) -> None:
    video.picture(jpeg(colour, size), *size, at=when)


def wait_for_end(video: Video) -> None:
    while not video.is_over:
        time.sleep(0.02)  # a thread ends it


def test_the_video_shows_each_picture_from_its_time_on(no_leaks: None, tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", fps=10)
    now = time.time() - 2
    for number, colour in enumerate((RED, GREEN, BLUE)):
        show(video, colour, now + number * 0.5)
    shortest_s = time.time() - now
    video.end()
    longest_s = time.time() - now
    written = video.result()

    frames = decoded(written.path)
    assert (written.width, written.height, written.pictures, written.left_out) == (400, 300, 3, ())
    assert written.size == written.path.stat().st_size
    assert shortest_s - 0.1 <= written.seconds <= longest_s + 0.1  # a picture has a tenth of a second
    assert abs(frames[-1].at - written.seconds) < 0.01
    for seconds, colour in ((0.0, RED), (0.4, RED), (0.61, GREEN), (0.9, GREEN), (1.11, BLUE), (1.9, BLUE)):
        assert is_like(at(frames, seconds).getpixel((200, 150)), colour), seconds


def test_a_chapter_is_a_card_and_the_page_goes_on_after_it(tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", fps=10)
    show(video, WHITE, time.time())
    film(0.2)
    video.chapter("Paying", "With a card", seconds=3)
    film(0.3)
    video.end()

    frames = decoded(video.result().path)
    card = next(frame for frame in frames if not is_like(frame.image.getpixel((5, 5)), WHITE))
    after = [frame for frame in frames if frame.at > card.at and is_like(frame.image.getpixel((5, 5)), WHITE)]
    assert after[0].at - card.at == pytest.approx(3, abs=0.11)
    letters = [value for value in card.image.crop((100, 120, 300, 180)).convert("L").tobytes() if value > 200]
    assert len(letters) > 50  # the title, in white


def test_the_pointer_a_ring_a_caption_and_a_dialog_are_drawn(tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", fps=10, color="blue", position="top-left")
    began = time.time()
    show(video, WHITE, began, (800, 600))
    film(0.15)
    pressed = time.time()
    video.pointer(400, 300, pressed=True, at=pressed)
    video.caption("click button", seconds=5)
    film(0.3)
    video.dialog("confirm: Really?")
    film(0.2)
    video.end()

    frames = decoded(video.result().path)
    first, middle, last = (at(frames, seconds) for seconds in (0.05, pressed - began + 0.25, frames[-1].at))
    around = (370, 270, 430, 330)
    blue = [pixel for pixel in pixels(middle.crop(around)) if pixel[2] - pixel[0] > 80]
    assert blue, "a ring"
    assert is_like(first.getpixel((402, 306)), WHITE)
    assert is_like(middle.getpixel((402, 306)), (0, 0, 0)), "the pointer"
    assert min(middle.crop((0, 0, 200, 60)).convert("L").tobytes()) < 60, "a caption at the left of the top"
    assert min(middle.crop((0, 500, 800, 600)).convert("L").tobytes()) > 200
    difference = [value for value in last.crop((250, 15, 550, 60)).convert("L").tobytes() if value < 100]
    assert difference, "the text of the dialog"


def test_a_page_of_another_shape_is_fitted_into_the_size(tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", size=(321, 201))
    now = time.time() - 1
    show(video, RED, now)
    show(video, GREEN, now + 0.5, (100, 400))
    video.end()
    written = video.result()

    frames = decoded(written.path)
    assert {frame.image.size for frame in frames} == {(written.width, written.height)} == {(320, 200)}
    assert is_like(frames[0].image.getpixel((160, 100)), RED)
    last = frames[-1].image
    assert is_like(last.getpixel((160, 100)), GREEN)
    assert is_like(last.getpixel((20, 100)), (24, 24, 27))


def test_it_ends_by_itself_and_says_so(tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", longest_s=0.5)
    show(video, RED, time.time())
    wait_for_end(video)
    show(video, GREEN, time.time())
    video.end()

    written = video.result()

    assert 0.5 <= written.seconds < 2
    assert written.left_out == ("the video ended by itself after 0.5 seconds",)
    assert is_like(decoded(written.path)[-1].image.getpixel((5, 5)), RED)


def test_a_video_that_is_too_large_ends(tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm", most_bytes=1)
    show(video, RED, time.time())
    wait_for_end(video)

    assert video.result().left_out == ("the video ended by itself after 1 bytes",)


def test_a_page_that_was_never_painted_is_no_video(no_leaks: None, tmp_path: Path) -> None:
    video = Video(tmp_path / "run.webm")
    video.end()

    with pytest.raises(VideoNotWritten, match="the video could not be written: the page was never painted"):
        video.result()


def test_an_error_of_the_file_comes_at_the_end(no_leaks: None, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Video(tmp_path / "no folder" / "run.webm")
    video = Video(tmp_path / "run.webm")
    video.path.unlink()
    video.path.mkdir()
    show(video, RED, time.time())
    wait_for_end(video)

    with pytest.raises(VideoNotWritten, match="directory"):
        video.result()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "fps must be from 1 to 60, not 0"),
        ({"size": (15, 100)}, "from 16 to 4096"),
        ({"color": "reddish"}, "unknown color"),
    ],
)
def test_wrong_options_are_refused_and_no_file_is_touched(
    no_leaks: None, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Video(tmp_path / "run.webm", **options)  # type: ignore[arg-type]  # that is the test
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("library", ["av", "PIL"])
def test_without_the_libraries_the_extra_is_named(
    no_leaks: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(VideoLibrariesMissing, match=r"pip install 'cdp-typed\[video\]'"):
        Video(tmp_path / "run.webm")
