"""The limit for the rate at which a page opens dialogs."""

from __future__ import annotations

from msgspec.structs import replace

from supervisor.core.state.dialogs import DialogRate, DialogRateLimit
from supervisor.core.state.pages import Targets
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects
from supervisor.core.vocabulary.timers import RateLimitReset
from supervisor.core.vocabulary.values import DialogStorm

NOTE = "the page opens dialogs without end"


def count_dialog(rate_limit: DialogRateLimit, target_id: str, now: float) -> tuple[DialogRateLimit, Effects]:
    """Count a dialog of a page. More than `limit` of them within `window_s` are a storm."""
    rate = rate_limit.pages.get(target_id, DialogRate())
    times = (*(time for time in rate.times if time > now - rate_limit.window_s), now)[-rate_limit.limit - 1 :]
    storm = rate.storm
    if storm is not None:
        storm = replace(storm, count=storm.count + 1)
    elif len(times) > rate_limit.limit:
        storm = DialogStorm(target_id=target_id, count=1, since=now)
    rate_limit = replace(rate_limit, pages={**rate_limit.pages, target_id: DialogRate(times, storm)})
    return rate_limit, (Arm(RateLimitReset(target_id), rate_limit.window_s),) if storm else ()


def reset(rate_limit: DialogRateLimit, target_id: str) -> DialogRateLimit:
    """Forget the rate of a page that has opened no dialog for `window_s`."""
    return replace(rate_limit, pages={key: rate for key, rate in rate_limit.pages.items() if key != target_id})


def forget_gone(rate_limit: DialogRateLimit, targets: Targets) -> tuple[DialogRateLimit, Effects]:
    """Forget the rates of pages that are gone."""
    gone = [target_id for target_id in rate_limit.pages if targets.page(target_id) is None]
    if not gone:
        return rate_limit, ()
    left = {target_id: rate for target_id, rate in rate_limit.pages.items() if target_id not in gone}
    return replace(rate_limit, pages=left), tuple(Disarm(RateLimitReset(target_id)) for target_id in gone)


def reset_all(rate_limit: DialogRateLimit) -> tuple[DialogRateLimit, Effects]:
    """Forget all rates: there is no connection."""
    return replace(rate_limit, pages={}), tuple(Disarm(RateLimitReset(storm.target_id)) for storm in rate_limit.storms)
