"""Plants the faults of the list, one at a time, and writes who catches them; `choose` fills up the list."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from msgspec.structs import replace

from tests.mutations.fault_list import Catcher, Fault, choose, listed, planted_source, write
from tests.mutations.running import failing_test, fails_without_a_fault
from tests.mutations.table import PAGE, drawn, replaced

SEED = 22
FOR_EACH_PART = 10


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("action", nargs="?", choices=["run", "choose"], default="run")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="TEXT", help="run the faults whose place has this text"
    )
    parser.add_argument("--missed", action="store_true", help="run those that `make test` did not catch")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    faults = listed()
    if options.action == "choose":
        write(choose(faults, options.seed, FOR_EACH_PART))
        return 0
    wanted = [
        fault
        for fault in faults
        if not fault.equivalent
        and (not options.only or any(text in f"{fault.name} {fault.line}" for text in options.only))
        and not (options.missed and fault.caught_by == "make test")
    ]
    return run(faults, wanted, options.processes)


def run(faults: list[Fault], wanted: list[Fault], processes: int) -> int:
    """Plant the wanted faults, and those that `make test` misses again for the rest. Each result is written at once."""
    for fault in wanted:
        planted_source(fault)  # a place that is gone ends it before anything runs
    numbers = [faults.index(fault) for fault in wanted]
    missed = _play(faults, wanted, "make test", processes)
    _play(faults, missed, "make all", processes)
    return _report(fails_without_a_fault({faults[number].test for number in numbers} - {""}))


def _play(faults: list[Fault], wanted: list[Fault], target: Catcher, processes: int) -> list[Fault]:
    """Return those that no test of the target catches."""
    missed: list[Fault] = []
    with ThreadPoolExecutor(processes) as pool:
        running = {pool.submit(failing_test, fault, target): fault for fault in wanted}
        for done in as_completed(running):
            fault, test = running[done], done.result()
            result = replace(fault, caught_by=target if test else "nobody", test=test)
            faults[faults.index(fault)] = result
            if not test:
                missed.append(result)
            print(f"{result.caught_by:9} {fault.name}: {fault.planted.strip()}  [{test}]", flush=True)
            write(faults)
            PAGE.write_text(replaced(PAGE.read_text("utf-8"), drawn(faults)), "utf-8")
    return missed


def _report(failures: Iterable[str]) -> int:
    failures = [*failures]
    for test in failures:
        print(f"{test} fails without a fault, too: it catches nothing", file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
