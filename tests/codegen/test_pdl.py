"""The PDL reader, on small texts."""

from __future__ import annotations

import pytest

from codegen.errors import SchemaError
from codegen.model import Command, Domain, Event, Items, Property, TypeDef
from codegen.pdl import includes, parse

TEXT = """\
# A comment.
version
  major 1
  minor 3

include domains/Other.pdl

# About the domain.
experimental deprecated domain Sample
  depends on DOM
  depends on Page

  type Id extends string
  deprecated type Color extends string
    enum
      red
      # Comments sit between values, too.
      light-blue
  type Quad extends array of number
  type Thing extends object
    properties
      Id id
      optional array of Page.FrameId frames
      experimental optional enum kind
        enum
        None
      optional array of binary keys

  command act
    # What the comment says is not read.
    redirect Other
    parameters
      deprecated optional binary data
    returns
      any value

  experimental event acted
    parameters
      boolean really
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type Loose extends string\n", "bad.pdl:1: expected a domain, found 'type Loose extends string'"),
        ("domain A\n  kommand act\n", "bad.pdl"),
        ("domain A\n  command act\n    throws\n", "line 3: 'throws'"),
        ("domain A\n  type T extends a b c\n", "expected a type, found 'a b c'"),
        ("domain A\n  type T extends Other\n", "domain A"),
    ],
    ids=["no domain", "unknown section", "unknown part", "unknown type", "a type that extends a type"],
)
def test_a_line_that_is_not_understood_stops_the_build(text: str, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse(text, name="bad.pdl")

    assert message in str(caught.value)


def test_every_construct_is_read() -> None:
    thing = (
        Property(name="id", ref="Id"),
        Property(name="frames", optional=True, type="array", items=Items(ref="Page.FrameId")),
        Property(name="kind", experimental=True, optional=True, type="string", enum=("enum", "None")),
        Property(name="keys", optional=True, type="array", items=Items(type="binary")),
    )
    data = Property(name="data", deprecated=True, optional=True, type="binary")

    assert parse(TEXT, name="sample.pdl") == [
        Domain(
            domain="Sample",
            experimental=True,
            deprecated=True,
            dependencies=("DOM", "Page"),
            types=(
                TypeDef(id="Id", type="string"),
                TypeDef(id="Color", type="string", deprecated=True, enum=("red", "light-blue")),
                TypeDef(id="Quad", type="array", items=Items(type="number")),
                TypeDef(id="Thing", type="object", properties=thing),
            ),
            commands=(
                Command(
                    name="act", redirect="Other", parameters=(data,), returns=(Property(name="value", type="any"),)
                ),
            ),
            events=(Event(name="acted", experimental=True, parameters=(Property(name="really", type="boolean"),)),),
        )
    ]


def test_includes_are_listed() -> None:
    assert includes(TEXT) == ["domains/Other.pdl"]
