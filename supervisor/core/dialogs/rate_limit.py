"""Pages that open dialogs without end: noticed by their rate, over when they have been quiet."""

from __future__ import annotations

from msgspec.structs import replace

from supervisor.core.state.dialogs import Storms, Weather
from supervisor.core.state.pages import Targets
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects
from supervisor.core.vocabulary.timers import StormCalm
from supervisor.core.vocabulary.values import DialogStorm

NOTE = "the page opens dialogs without end"


def count(storms: Storms, target_id: str, now: float) -> tuple[Storms, Effects]:
    """A page opens a dialog. One more than `limit` of them within `window_s` is a storm."""
    weather = storms.pages.get(target_id, Weather())
    times = (*(time for time in weather.times if time > now - storms.window_s), now)[-storms.limit - 1 :]
    storm = weather.storm
    if storm is not None:
        storm = replace(storm, count=storm.count + 1)
    elif len(times) > storms.limit:
        storm = DialogStorm(target_id=target_id, count=1, since=now)
    storms = replace(storms, pages={**storms.pages, target_id: Weather(times, storm)})
    return storms, (Arm(StormCalm(target_id), storms.window_s),) if storm else ()


def end(storms: Storms, target_id: str) -> Storms:
    """The page has been quiet for `window_s`."""
    return replace(storms, pages={key: weather for key, weather in storms.pages.items() if key != target_id})


def forget_gone(storms: Storms, targets: Targets) -> tuple[Storms, Effects]:
    """A page that is gone is quiet."""
    gone = [target_id for target_id in storms.pages if targets.page(target_id) is None]
    if not gone:
        return storms, ()
    left = {target_id: weather for target_id, weather in storms.pages.items() if target_id not in gone}
    return replace(storms, pages=left), tuple(Disarm(StormCalm(target_id)) for target_id in gone)


def pause(storms: Storms) -> tuple[Storms, Effects]:
    """Without a connection nothing is known of the weather."""
    return replace(storms, pages={}), tuple(Disarm(StormCalm(storm.target_id)) for storm in storms.raging)
