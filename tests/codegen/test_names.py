"""Names that the schema does not have."""

from __future__ import annotations

import pytest

from codegen.errors import SchemaError
from codegen.names import class_name, field_name, module_name, words


@pytest.mark.parametrize("name", ["", "a-b", "_a", "a b", "1a", "größe", "a.b"])
def test_a_name_of_another_shape_is_refused(name: str) -> None:
    for convert in (words, field_name, class_name, module_name):
        with pytest.raises(SchemaError, match="is not a name this generator understands"):
            convert(name)


# The bindings show what becomes of names that the schema has.
@pytest.mark.parametrize(
    ("wire", "python"),
    {"max_depth": "max_depth", "list": "list_", "tuple": "tuple_", "str": "str_", "field": "field_"}.items(),
)
def test_a_property_becomes_an_attribute(wire: str, python: str) -> None:
    assert field_name(wire) == python
