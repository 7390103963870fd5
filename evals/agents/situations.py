"""Plays the situations in which tools go wrong, and prints a table of verdicts.

python -m evals.agents.situations [--server NAME ...] [SITUATION ...]
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks import table
from evals.agents.command_lines.starts import BY_DEFAULT, COMMAND_LINES
from evals.agents.stdio_client import ServerEnded
from evals.agents.suite import PLAYED, Player
from evals.situations import sheets
from evals.situations.situation import SITUATIONS, Result, Situation, Verdict, play
from evals.tasks.desk import Room


def play_through(player: Player, room: Room, situation: Situation) -> Result:
    """Play a situation in a new tab, and say what the page's server finds."""
    run = f"-{player.name.replace(' ', '-')}"
    with player.at(lambda browser: room.desk(situation.task, browser, run=run)) as (hands, desk):
        try:
            return play(situation, hands, desk)
        except ServerEnded as error:
            player.stop()
            return Result(Verdict.HUNG, str(error))
        finally:
            if situation.ends_browser:
                player.stop()


def main() -> None:
    """Play the situations that are named, or all, through the command lines that are named, or all."""
    assert sheets.__all__
    parser = argparse.ArgumentParser(prog="python -m evals.agents.situations")
    parser.add_argument("--server", nargs="+", choices=list(PLAYED), default=[*COMMAND_LINES, *BY_DEFAULT])
    parser.add_argument("situations", nargs="*", metavar="SITUATION", help="names; all if none")
    options = parser.parse_args()
    results: dict[str, dict[str, Result]] = {name: {} for name in options.server}
    with tempfile.TemporaryDirectory() as folder, Room(Path(), Path(folder)) as room:
        for name, played in results.items():
            with Player(name, room.folder) as player:
                for situation in options.situations or SITUATIONS:
                    played[situation] = play_through(player, room, SITUATIONS[situation])
                    print(
                        f"{name:20} {played[situation].verdict:13} {situation}: {played[situation].reason}", flush=True
                    )
    print(render(results))


def render(results: Mapping[str, Mapping[str, Result]]) -> str:
    """The counts of each verdict, and a line for each situation in which somebody was not right."""
    counts = [(name, Counter(result.verdict for result in played.values())) for name, played in results.items()]
    rows = [(name, *(str(count[verdict]) for verdict in Verdict)) for name, count in counts]
    title = f"{len(next(iter(results.values())))} situations, judged by the page's server"
    lists = table.render("not right:", ("", *results), list(_not_right(results)))
    return "\n\n".join([table.render(title, ("", *Verdict), rows), lists])


def _not_right(results: Mapping[str, Mapping[str, Result]]) -> Iterator[tuple[str, ...]]:
    for name in next(iter(results.values())):
        verdicts = [played[name].verdict for played in results.values()]
        if set(verdicts) != {Verdict.RIGHT}:
            yield (name, *verdicts)


if __name__ == "__main__":
    main()
