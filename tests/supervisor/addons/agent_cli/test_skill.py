"""SKILL.md: its form, and every command in it, played on a page that its examples fit."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_agent import DIALOG, DONE
from supervisor.addons.agent_cli.aliases import WORDS
from supervisor.addons.agent_cli.skill_files import FOLDER
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell, Ended
from tests.supervisor.test_text_budgets import complaint, sections
from tests.support.servers.sites import Sites

SKILL = (FOLDER / "SKILL.md").read_text("utf-8")
MORE = (FOLDER / "references" / "more.md").read_text("utf-8")
PAGE = """<title>Shop</title><label>Name <input></label><label>Birthday <input type=date></label>
<label>Colour <select><option>Blue<option>Red</select></label><label>News <input type=checkbox></label>
<label>Picture <input type=file></label>
<button onclick="document.querySelector('p').textContent = 'Saved'">Save</button>
<button onclick="confirm('Delete it?')">Delete</button>
<button onclick="prompt('New name?', 'x')">Rename</button><p></p>"""


def lines(text: str) -> list[tuple[str, int, str]]:
    """The commands of the code blocks, each with the exit code of its comment, and its standard input."""
    found: list[tuple[str, int, str]] = []
    for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL):
        for line, given in re.findall(r"^(cdp-agent .*)\n((?:(?!cdp-agent ).*\n)*)", block, flags=re.MULTILINE):
            code = re.search(r"#\s*(\d):", line)
            command = line.partition(" #")[0].partition(" <<")[0]
            found.append((command.strip(), int(code[1]) if code else 0, given.removesuffix("END\n")))
    return found


def played(agent: AgentShell, text: str, sites: Sites) -> Iterator[tuple[str, Ended]]:
    """Each command of the code blocks, once it has ended as its comment says."""
    for line, code, given in lines(text):
        words = shlex.split(line.replace("localhost:3000", f"localhost:{sites.port}"))
        done = agent(*words[1:], given=given)
        assert (words[0], done.code) == ("cdp-agent", code), (line, done)
        yield line, done


def test_it_is_within_its_budget() -> None:
    assert complaint("SKILL.md of cdp-agent", 5000, sections(SKILL)) is None


def test_it_has_the_form_of_the_specification() -> None:
    head = re.match(r"---\nname: (.+)\ndescription: (.+)\n---\n", SKILL)

    assert head is not None
    assert head[1] == "cdp-agent"
    assert 1 <= len(head[2]) <= 1024


def test_it_names_every_everyday_command_and_every_file_that_is_there() -> None:
    text = SKILL + MORE

    assert [
        word for word in [*WORDS, "run -", "sessions", "close", "doctor", "report"] if f"cdp-agent {word}" not in text
    ] == ["back"]
    assert re.findall(r"\]\((references/[\w.]+)\)", SKILL) == ["references/more.md"]


@pytest.mark.thorough
@pytest.mark.chromium
def test_every_command_of_it_does_what_it_says(agent: AgentShell, sites: Sites) -> None:
    sites.pages["/"] = sites.pages["/help"] = PAGE
    (agent.tree / "cat.png").write_bytes(b"\x89PNG")

    assert {done.code for _, done in played(agent, SKILL, sites)} == {DONE, DIALOG}
    assert (agent.tree / "page.png").read_bytes().startswith(b"\x89PNG")
    assert agent.left() == []


UNCOMMON = """<title>Shop</title><input><input><input><iframe title=inside src=/inside></iframe><input><input>
<button style="width: 200px; height: 80px">Seven</button><button>Eight</button><button>Nine</button>
<script>const log = window.log = [];
for (const kind of ['dblclick', 'contextmenu', 'click', 'mousedown', 'mouseup']) addEventListener(kind, event => {
    const box = event.target.getBoundingClientRect?.() ?? { left: 0, top: 0 };
    log.push(kind + (event.ctrlKey && event.shiftKey ? ' held' : '') + ' ' + event.target.textContent.trim()
        + ' ' + Math.round(event.clientX - box.left) + ',' + Math.round(event.clientY - box.top)) });
addEventListener('keydown', event => log.push('key ' + (event.ctrlKey ? 'Control+' : '') + event.key))</script>"""


@pytest.mark.thorough
@pytest.mark.chromium
def test_every_command_of_its_reference_does_what_it_says(agent: AgentShell, sites: Sites) -> None:
    """Its refs are those of this page: e4 is an iframe, e7 and e9 are buttons. The page keeps what arrived."""
    sites.pages.update({"/": UNCOMMON, "/inside": "<title>Inside</title>"})
    arrived: dict[str, str] = {}
    said: dict[str, str] = {}

    assert agent("open", sites.local("/")).code == DONE
    for line, done in played(agent, MORE, sites):
        said[line], arrived[line] = done.out, agent("eval", "log.splice(0).join('; ')").out

    assert "Inside" in said["cdp-agent eval 'document.title' --frame-id e4"]
    assert "dblclick Seven" in arrived["cdp-agent click e7 --count 2"]
    assert "contextmenu Seven" in arrived["cdp-agent click e7 --button right"]
    assert "click held Seven" in arrived["cdp-agent click e7 --modifiers Control+Shift"]
    assert "click Seven 10,20" in arrived["cdp-agent click e7 --at 10,20"]
    assert re.search("mousedown Seven .*mouseup Nine", arrived["cdp-agent drag e7 e9"])
    assert re.search("mousedown Seven .*mouseup (?!Seven)", arrived["cdp-agent drag e7 --by 120,0"])
    assert "key Control+a" in arrived["cdp-agent press Control+a"]
    assert "key Enter" in arrived["cdp-agent type 'typed into the focus' --submit"]
    assert "other" not in said["cdp-agent sessions"]
    assert (agent.tree / said["cdp-agent report"].split()[-1].strip()).exists()
    assert agent("close").code == DONE
    assert agent.left() == []


def test_it_is_installed_where_agents_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from supervisor.addons.agent_cli.skill_files import PLACES, run

    monkeypatch.chdir(tmp_path)
    for agent_name in PLACES:
        assert run(["install", "--for", agent_name]) == DONE

    assert [PLACES[agent_name] for agent_name in ("gemini", "opencode", "qwen")] == [
        ".gemini/skills", ".opencode/skills", ".qwen/skills"
    ]  # fmt: skip
    for place in PLACES.values():
        assert (tmp_path / place / "cdp-agent" / "SKILL.md").read_text("utf-8") == SKILL
        assert (tmp_path / place / "cdp-agent" / "references" / "more.md").exists()
