"""Tasks in Node-RED."""

from __future__ import annotations

from tests.arena.applications.node_red import NodeRed
from tests.arena.arriving import reach
from tests.arena.task import task
from tests.tasks.hands import Hands


def deploy(hands: Hands) -> None:
    """Deploy what was changed."""
    hands.click(hands.ref("Deploy"))


@task(NodeRed, lambda red: bool(red.node(type="tab", label="Farewells")), in_part=True)
def rename_a_flow(hands: Hands, red: NodeRed) -> None:
    """Give a flow another name, and deploy."""
    hands.looking.click(reach(hands, "Greetings"), count=2)
    reach(hands, "Edit flow")
    hands.looking.type(hands.ref("Name", "textbox"), "Farewells")
    hands.looking.click(hands.ref("Done", "button"))
    deploy(hands)


@task(NodeRed, lambda red: bool(red.node(id="n2", name="say hello")))
def rename_a_node(hands: Hands, red: NodeRed) -> None:
    """Give a node another name, and deploy."""
    reach(hands, "show greeting")
    hands.looking.click(hands.find("show greeting"), count=2)
    reach(hands, "Edit debug node")
    hands.looking.type(hands.ref("Name", "textbox"), "say hello")
    hands.looking.click(hands.ref("Done", "button"))
    deploy(hands)


@task(NodeRed, lambda red: not red.node(id="n3"))
def delete_a_node(hands: Hands, red: NodeRed) -> None:
    """Delete a remark by the keyboard, and deploy."""
    reach(hands, "old remark")
    hands.click(hands.find("old remark"))
    hands.looking.press("Delete")
    deploy(hands)


@task(NodeRed, lambda red: "trigger" in {node["type"] for node in red.nodes()})
def add_a_node(hands: Hands, red: NodeRed) -> None:
    """Drag a node from the palette onto the flow, and deploy."""
    reach(hands, "every hour")
    hands.looking.drag(hands.ref("trigger"), hands.find("old remark"))
    deploy(hands)
