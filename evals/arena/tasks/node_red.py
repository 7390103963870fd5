"""Tasks in Node-RED."""

from __future__ import annotations

from evals.arena.applications.node_red import NodeRed
from evals.arena.arriving import reach
from evals.arena.task import task
from evals.tasks.hands import Hands


def edit(hands: Hands, opens: str, field: str, text: str) -> None:
    """Write into a field of the tray that opens, which names itself, close it, and deploy."""
    deploy = hands.look().ref("Deploy")
    hands.looking.click(hands.find(field), count=2)
    reach(hands, opens)
    done = hands.ref("Done", "button")
    hands.type(hands.ref("Name", "textbox"), text)
    hands.click(done)
    hands.click(deploy)


@task(NodeRed, lambda red: bool(red.node(type="tab", label="Farewells")), in_part=True)
def rename_a_flow(hands: Hands, red: NodeRed) -> None:
    """Give a flow another name, and deploy."""
    reach(hands, "Greetings")
    edit(hands, "Edit flow", "Greetings", "Farewells")


@task(NodeRed, lambda red: bool(red.node(id="n2", name="say hello")))
def rename_a_node(hands: Hands, red: NodeRed) -> None:
    """Give a node another name, and deploy."""
    reach(hands, "show greeting")
    edit(hands, "Edit debug node", "show greeting", "say hello")


@task(NodeRed, lambda red: not red.node(id="n3"))
def delete_a_node(hands: Hands, red: NodeRed) -> None:
    """Delete a remark by the keyboard, and deploy."""
    reach(hands, "old remark")
    deploy = hands.look().ref("Deploy")
    hands.click(hands.find("old remark"))
    hands.press("Delete")
    hands.click(deploy)


@task(NodeRed, lambda red: "trigger" in {node["type"] for node in red.nodes()})
def add_a_node(hands: Hands, red: NodeRed) -> None:
    """Drag a node from the palette onto the flow, and deploy."""
    reach(hands, "every hour")
    deploy = hands.look().ref("Deploy")
    hands.drag(hands.ref("trigger"), hands.find("every hour"))
    hands.click(deploy)
