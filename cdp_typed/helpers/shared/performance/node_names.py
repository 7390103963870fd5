"""Short names of elements, such as `img#hero.wide`."""

from __future__ import annotations

from cdp_typed.protocol import dom


def named(node: dom.Node) -> str:
    """Return the name of a node that the browser described (`DOM.describeNode`)."""
    attributes = dict(zip((node.attributes or ())[::2], (node.attributes or ())[1::2], strict=False))
    id_ = f"#{attributes['id']}" if attributes.get("id") else ""
    classes = "".join(f".{name}" for name in attributes.get("class", "").split()[:3])
    return f"{node.local_name or node.node_name}{id_}{classes}"[:200]
