"""The completion scripts, run by the shells themselves wherever they are installed (bash always is)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cdp_typed.cli.completion import SHELLS, script
from cdp_typed.cli.parameters import options_of
from cdp_typed.cli.way import FLAGS
from cdp_typed.protocol.registry import COMMANDS, DOMAINS, EVENTS
from tests.cdp_typed.cli.conftest import Run

HERE = [shell for shell in SHELLS if shutil.which(shell) or shell == "bash"]

# How each shell is made to complete the words it is given, one candidate to a line.
ASK = {
    "bash": (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cdp_typed; printf "%s\\n" "${COMPREPLY[@]}"'
    ),
    "zsh": (
        "compdef() { : }; compadd() { shift; print -l -- ${(M)@:#${words[CURRENT]}*} };"
        ' source "$1"; shift; words=("$@"); CURRENT=$#; _cdp_typed'
    ),
    "fish": 'source $argv[1]; complete -C (string join " " -- (string escape -- $argv[2..-2]) $argv[-1])',
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The script of each shell that is here."""
    root = tmp_path_factory.mktemp("completion")
    for shell in HERE:
        (root / shell).write_text(script(shell))
    return {shell: root / shell for shell in HERE}


def complete(shell: str, path: Path, *words: str) -> list[str]:
    """What the shell offers for the last of these words."""
    first = [shell, "-f", "-c"] if shell == "zsh" else [shell, "-c"]
    # fish numbers the arguments after the command from one, the others from zero.
    rest = [str(path), *words] if shell == "fish" else ["x", str(path), *words]
    done = subprocess.run(
        [*first, ASK[shell], *rest], capture_output=True, text=True, timeout=60, check=True, cwd=path.parent
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize("shell", HERE)
def test_our_own_commands_are_offered_first(shell: str, scripts: dict[str, Path]) -> None:
    assert complete(shell, scripts[shell], "cdp-typed", "c") == ["call", "completion"]
    assert complete(shell, scripts[shell], "cdp-typed", "completion", "z") == ["zsh"]
    assert complete(shell, scripts[shell], "cdp-typed", "nonsense", "http://x", "P") == []


@pytest.mark.parametrize("shell", HERE)
def test_every_method_is_offered_after_the_address(shell: str, scripts: dict[str, Path]) -> None:
    offered = complete(shell, scripts[shell], "cdp-typed", "call", "http://x", "")

    assert set(offered) == {*COMMANDS, *FLAGS, "--target", "--session", "--timeout", "--json", "--raw", "--help"}
    assert complete(shell, scripts[shell], "cdp-typed", "call", "http://x", "Page.nav") == [
        "Page.navigate",
        "Page.navigateToHistoryEntry",
    ]


@pytest.mark.parametrize("shell", HERE)
def test_every_parameter_of_a_method_is_offered_after_it(shell: str, scripts: dict[str, Path]) -> None:
    for method in ("Page.navigate", "Runtime.evaluate", "Network.enable"):
        offered = complete(shell, scripts[shell], "cdp-typed", "call", "http://x", method, "--")
        assert set(offered) == {
            *(each.flag for each in options_of(method)),
            "--target", "--session", "--timeout", "--json", "--help",
        }  # fmt: skip


@pytest.mark.parametrize("shell", HERE)
def test_the_values_of_an_enum_are_offered_after_its_option(shell: str, scripts: dict[str, Path]) -> None:
    words = ("cdp-typed", "call", "http://x", "Page.captureScreenshot")

    assert sorted(complete(shell, scripts[shell], *words, "--format", "")) == ["jpeg", "png", "webp"]
    assert complete(shell, scripts[shell], *words, "--from-surface", "t") == ["true"]


@pytest.mark.parametrize("shell", HERE)
def test_events_and_whole_domains_are_offered_for_watching(shell: str, scripts: dict[str, Path]) -> None:
    (scripts[shell].parent / "Page.x").touch()  # no file is taken for what a pattern means

    offered = complete(shell, scripts[shell], "cdp-typed", "events", "http://x", "Runtime.consoleAPICalled", "")

    assert {each for each in offered if "." in each} == {*EVENTS, *(f"{domain}.*" for domain in DOMAINS)}


def test_bash_splits_addresses_at_colons(scripts: dict[str, Path]) -> None:
    words = ("cdp-typed", "call", "http", ":", "//127.0.0.1", ":", "9222", "Page.navigateT")

    assert complete("bash", scripts["bash"], *words) == ["Page.navigateToHistoryEntry"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_names_every_method_parameter_and_event(run: Run, shell: str) -> None:
    code, out, err = run("completion", shell)

    assert (code, err) == (0, "")
    words = set(out.replace("'", " ").split())
    assert words >= {*COMMANDS, *EVENTS, *(each.flag for method in COMMANDS for each in options_of(method))}


def test_an_unknown_shell_is_2(run: Run) -> None:
    assert run("completion", "basch") == (
        2,
        "",
        "cdp-typed: error: no completion for 'basch'; did you mean bash?; there is one for bash, zsh, fish\n",
    )
