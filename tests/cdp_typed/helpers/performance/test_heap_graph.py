"""What a heap snapshot shows: what retains what, and what counts, on graphs that are small enough to see it."""

from __future__ import annotations

import pytest

from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph
from cdp_typed.helpers.shared.performance.heap.heap_values import HeapChange
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


def test_the_classes_are_listed_by_size_and_one_path_keeps_an_object_alive() -> None:
    graph = diamond()

    assert [(each.name, each.count, each.size) for each in graph.classes()] == [
        ("End", 1, 100), ("Side", 2, 30), ("Loose", 1, 7), ("Top", 1, 1),
    ]  # fmt: skip
    assert [(each.id, each.size) for each in graph.objects("Side")] == [("@30", 20), ("@20", 10)]
    assert graph.retaining_path("End") == ["end of Side @20", "left of Top @10", "[1] of the root"]
    assert graph.retaining_path("Loose") is None  # a weak reference keeps nothing alive


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

    assert [(each.name, each.count, each.size) for each in HeapGraph(heap_file(nodes, edges)).classes()] == [
        ("Array", 1, 816),
        ("(system)", 1, 40),
        ("Window", 1, 1),
    ]


def test_the_key_of_a_weak_map_keeps_the_value_alive() -> None:
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

    assert HeapGraph(heap_file(nodes, edges)).retaining_path("Value") == [f"2{entry} of Key @20", "[2] of the root"]


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

    assert [(each.name, each.size) for each in graph.classes()] == [
        ("Detached <div>", 50), ("<body>", 30), ("Detached <span>", 20), ("Keeper", 1),
    ]  # fmt: skip
    (lost,), (shown,) = graph.objects("Detached <span>"), graph.objects("<body>")
    assert (lost.is_detached, shown.is_detached) == (True, False)


def test_plain_objects_with_the_same_properties_are_a_class() -> None:
    nodes: dict[str, Node] = {"root": ROOT, **{f"point{n}": ("object", "Object", 5) for n in range(3)}}
    edges: list[Edge] = [("root", "element", n, f"point{n}") for n in range(3)]
    edges += [(f"point{n}", "property", name, "root") for n in range(2) for name in ("x", "y, z")]

    assert [(each.name, each.count) for each in HeapGraph(heap_file(nodes, edges)).classes()] == [
        ('{x, "y, z"}', 2),
        ("Object", 1),
    ]


def test_what_has_no_constructor_is_classed_by_its_type() -> None:
    kinds = {"hidden": "(system)", "code": "(compiled code)", "closure": "Function", "regexp": "RegExp",
             "string": "(string)", "array": "(array)"}  # fmt: skip
    nodes: dict[str, Node] = {"root": ROOT, **{kind: (kind, "a name", 5) for kind in kinds}}
    edges: list[Edge] = [("root", "shortcut", kind, kind) for kind in kinds]

    assert {each.name for each in HeapGraph(heap_file(nodes, edges)).classes()} == {*kinds.values()}


def test_the_browser_s_own_roots_are_a_way_only_where_the_page_has_none() -> None:
    nodes: dict[str, Node] = {
        "root": ROOT,
        "roots": ("synthetic", "(GC roots)", 0),
        "documents": ("synthetic", "(Document DOM trees)", 0),
        "window": ("object", "Window", 1),
        "list": ("object", "Array", 1),
        "kept": ("object", "Kept", 1),
        "node": ("native", "Node", 1),
        "inner": ("object", "Inner", 1),
    }
    edges: list[Edge] = [
        ("root", "element", 1, "roots"),
        ("root", "element", 2, "documents"),
        ("root", "shortcut", "window", "window"),
        ("roots", "element", 1, "kept"),
        ("roots", "element", 2, "inner"),
        ("window", "property", "list", "list"),
        ("list", "property", "kept", "kept"),
        ("documents", "element", 1, "node"),
        ("node", "internal", "inner", "inner"),
    ]
    graph = HeapGraph(heap_file(nodes, edges))

    assert graph.retaining_path("Kept") == ["kept of Array @40", "list of Window @30", "window of the root"]
    assert graph.retaining_path("Inner") == [
        "inner of Node @60", "[1] of (synthetic) @20", "[2] of the root",
    ]  # fmt: skip


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
