"""What a heap snapshot shows: what retains what, and what counts, on graphs that are small enough to see it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from cdp_typed.helpers.shared.performance.heap import heap_graph
from cdp_typed.helpers.shared.performance.heap.dominators import DominatorTree
from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph, TooManyReferences
from cdp_typed.helpers.shared.performance.heap.heap_values import HeapChange, HeapClass
from cdp_typed.helpers.shared.performance.heap.links import Links
from cdp_typed.helpers.shared.performance.heap.snapshot import with_strings
from tests.cdp_typed.helpers.performance.heap_files import Edge, Node, heap_file

ROOT: Node = ("synthetic", "", 0)
DIAMOND: dict[str, Node] = {
    "root": ROOT,
    "top": ("object", "Top", 1),
    "left": ("object", "Side", 10),
    "right": ("object", "Side", 20),
    "end": ("object", "End", 100),
    "loose": ("object", "Loose", 7),
}
DIAMOND_EDGES: list[Edge] = [
    ("root", "element", 1, "top"),
    ("top", "property", "left", "left"),
    ("top", "property", "right", "right"),
    ("left", "property", "end", "end"),
    ("right", "property", "end", "end"),
    ("top", "weak", "seen", "loose"),
]


def diamond() -> HeapGraph:
    return HeapGraph(heap_file(DIAMOND, DIAMOND_EDGES))


def links_of(edges: Sequence[Sequence[int]]) -> Links:
    first = [sum(map(len, edges[:node])) for node in range(len(edges) + 1)]
    targets = [target for each in edges for target in each]
    return Links(first, targets, bytes([1]) * len(targets))


def is_cut_off(node: int, other: int, edges: list[list[int]]) -> bool:
    """No way that avoids the other node leads from the root to this one."""
    return not links_of([[] if at == other else each for at, each in enumerate(edges)]).reached([0])[node]


def hang_on_the_root(edges: list[list[int]]) -> None:
    """Have the root lead to what it does not reach: nodes to which nothing leads, then the first of each circle."""
    led_to = {target for each in edges for target in each}
    for node in (*(node for node in range(len(edges)) if node not in led_to), *range(len(edges))):
        if not links_of(edges).reached([0])[node]:
            edges[0].append(node)


@pytest.mark.parametrize("seed", range(60))
def test_a_dominator_is_what_every_way_from_the_root_leads_through(seed: int) -> None:
    rolls = random.Random(seed)
    count = rolls.randint(2, 14)
    edges = [[rolls.randrange(count) for _ in range(rolls.randint(0, 3))] for _ in range(count)]

    found = DominatorTree(links_of(edges))

    hang_on_the_root(edges)
    for node in range(1, count):
        above, each = set[int](), node
        while each:
            each = found.dominators[each]
            above.add(each)
        others = {other for other in range(1, count) if other != node and is_cut_off(node, other, edges)}
        assert above == {0} | others
    assert found.retained([1] * count)[0] == count


def test_an_object_that_two_others_hold_is_retained_by_what_holds_both() -> None:
    details = diamond().details("@40")

    assert [each.name for each in details.dominators] == ["Top", ""]
    assert {each.name: each.retained for each in diamond().objects()} == {
        "": 138, "Top": 131, "End": 100, "Side": 10, "Loose": 7,
    }  # fmt: skip
    assert [(each.by, each.kind, each.id) for each in details.retainers] == [
        ("end", "property", "@20"),
        ("end", "property", "@30"),
    ]
    assert details.retaining_path == ["end of Side @20", "left of Top @10", "[1] of the root"]


def test_a_weak_reference_keeps_nothing_alive() -> None:
    details = diamond().details("@50")

    assert details.object.distance is None
    assert details.retaining_path is None
    assert details.retainers == []
    assert diamond().retaining_path("Loose") is None


def test_an_object_below_another_one_of_its_class_counts_once() -> None:
    nodes: dict[str, Node] = {"root": ROOT, **{f"link{n}": ("object", "Link", 10) for n in range(3)}}
    edges: list[Edge] = [
        ("root", "element", 1, "link0"),
        ("link0", "property", "next", "link1"),
        ("link1", "property", "next", "link2"),
    ]

    assert HeapGraph(heap_file(nodes, edges)).classes() == [HeapClass(name="Link", count=3, size=30, retained=30)]


def test_a_part_that_one_object_holds_belongs_to_it() -> None:
    """Where the browser writes the globals as roots, as it did until 2025."""
    nodes: dict[str, Node] = {
        "root": ROOT,
        "window": ("object", "Window", 1),
        "list": ("object", "Array", 16),
        "elements": ("array", "", 800),
        "map": ("hidden", "system / Map", 40),
    }
    edges: list[Edge] = [
        ("root", "shortcut", "global", "window"),
        ("window", "property", "list", "list"),
        ("window", "internal", "map", "map"),
        ("list", "internal", "elements", "elements"),
        ("list", "internal", "map", "map"),
    ]

    assert [
        (each.name, each.count, each.size) for each in HeapGraph(heap_file(nodes, edges)).classes(order="size")
    ] == [
        ("Array", 1, 816),
        ("(system)", 1, 40),
        ("Window", 1, 1),
    ]


def test_the_key_of_a_weak_map_retains_the_value_and_the_map_does_not() -> None:
    entry = " / part of key (Key @20) -> value (Value @30) pair in WeakMap (table @40)"
    nodes: dict[str, Node] = {
        "root": ROOT,
        "map": ("object", "WeakMap", 1),
        "key": ("object", "Key", 1),
        "value": ("object", "Value", 100),
        "table": ("array", "", 8),
    }
    edges: list[Edge] = [
        ("root", "element", 1, "map"),
        ("root", "element", 2, "key"),
        ("map", "internal", "table", "table"),
        ("key", "internal", f"2{entry}", "value"),
        ("table", "internal", f"3{entry}", "value"),
    ]

    graph = HeapGraph(heap_file(nodes, edges))

    assert [each.name for each in graph.details("@30").dominators] == ["Key", ""]
    assert graph.details("@20").object.retained == 101


def test_detached_elements_are_found_below_the_one_that_the_browser_marks() -> None:
    nodes: dict[str, Node] = {
        "root": ROOT,
        "keeper": ("object", "Keeper", 1),
        "div": ("native", '<div id="lost">', 50),
        "span": ("native", "<span>", 20),
        "body": ("native", "<body>", 30),
    }
    edges: list[Edge] = [
        ("root", "element", 1, "keeper"),
        ("root", "element", 2, "body"),
        ("keeper", "property", "node", "div"),
        ("div", "element", 1, "span"),
    ]

    graph = HeapGraph(heap_file(nodes, edges, detached="div"))

    assert [(each.name, each.size) for each in graph.classes("detached=true")] == [
        ("Detached <div>", 50),
        ("Detached <span>", 20),
    ]
    assert [each.name for each in graph.objects(where="detached=false name=<B")] == ["<body>"]


def test_plain_objects_with_the_same_properties_are_a_class() -> None:
    nodes: dict[str, Node] = {"root": ROOT, **{f"point{n}": ("object", "Object", 5) for n in range(3)}}
    edges: list[Edge] = [("root", "element", n, f"point{n}") for n in range(3)]
    edges += [(f"point{n}", "property", name, "root") for n in range(2) for name in ("x", "y, z")]

    assert [(each.name, each.count) for each in HeapGraph(heap_file(nodes, edges)).classes(order="name")] == [
        ("Object", 1),
        ('{x, "y, z"}', 2),
    ]


def test_copies_of_a_string_are_found_also_where_it_was_joined() -> None:
    nodes: dict[str, Node] = {
        "root": ROOT,
        "one": ("string", "twice", 12),
        "two": ("concatenated string", "", 20),
        "first": ("string", "tw", 8),
        "second": ("string", "ice", 8),
        "flat": ("concatenated string", "", 20),
        "empty": ("string", "", 4),
    }
    edges: list[Edge] = [
        ("root", "element", 1, "one"),
        ("root", "element", 2, "two"),
        ("two", "internal", "first", "first"),
        ("two", "internal", "second", "second"),
        ("flat", "internal", "first", "one"),
        ("flat", "internal", "second", "empty"),
    ]

    (found,) = HeapGraph(heap_file(nodes, edges)).repeated_texts()

    assert (found.text, found.count, found.size, found.ids) == ("twice", 2, 32, "@10 @20")


def test_changes_are_those_of_objects_by_their_number() -> None:
    later = HeapGraph(heap_file(DIAMOND, DIAMOND_EDGES, ids={"end": 99}))

    assert later.changes_since(diamond()) == [
        HeapChange(name="End", added=1, removed=1, added_size=100, removed_size=100)
    ]
    assert [(each.id, each.is_removed) for each in later.changed_objects(diamond(), "End")] == [
        ("@99", False),
        ("@40", True),
    ]


def test_conditions_choose_objects() -> None:
    graph = diamond()

    def found(where: str) -> list[str]:
        return [each.name for each in graph.objects(where=where)]

    assert found("size>10 size<20") == ["Side", "Side"]
    assert found("retained>0.1k type=object") == ["Top", "End"]
    assert found("property=LEF") == ["Top"]
    assert found("type!=object") == [""]
    assert [each.id for each in graph.objects("Side", order="id")] == ["@20", "@30"]
    assert [each.name for each in graph.details("@10", "name=side").references] == ["Side", "Side"]


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("foo", "'foo' is no condition; use name="),
        ("foo=1", "'foo=1' is no condition; use name="),
        ("size=3", "'size=3' is no condition; use name="),
        ("size>big", "'big' is no number of bytes, such as 2000"),
        ("detached=maybe", "detached= must be one of true, false"),
        ("type=thing", "type= must be one of hidden, array"),
        ('"open', "quotation"),
    ],
)
def test_unknown_conditions_are_refused(where: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        diamond().objects(where=where)


def test_a_heap_with_too_many_references_shows_its_classes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap_graph, "MOST_EDGES", 3)
    graph = diamond()

    assert graph.classes()[0] == HeapClass(name="End", count=1, size=100)
    with pytest.raises(TooManyReferences):
        graph.details("@10")


def test_texts_are_replaced_and_other_data_are_refused() -> None:
    data = heap_file(DIAMOND, DIAMOND_EDGES)

    assert HeapGraph(with_strings(data, str.upper)).retaining_path("END") is not None
    for broken in (b"", b"{}", data[:200], b'{"snapshot":{"meta":3},"nodes":[],"edges":[],"strings":[]}'):
        with pytest.raises(ValueError, match="no heap snapshot"):
            HeapGraph(broken)


@pytest.mark.parametrize(
    ("right", "wrong"), [(b'"nodes":[7', b'"nodes":[99'), (b'"nodes":[7,0,0,0,1', b'"nodes":[7,0,0,0,9')]
)
def test_numbers_that_do_not_fit_are_refused(right: bytes, wrong: bytes) -> None:
    data = heap_file(DIAMOND, DIAMOND_EDGES)
    assert right in data

    with pytest.raises(ValueError, match="no heap snapshot"):
        HeapGraph(data.replace(right, wrong))
