"""Methods of one class as those of another: the same signatures and docstrings, other bodies."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

Method = ast.FunctionDef | ast.AsyncFunctionDef
Words = Mapping[str, tuple[str, str]]
"""By method, the words of a docstring that are not true of the other class, and those in their place."""


def public_methods(owner: ast.ClassDef) -> list[Method]:
    """Return the methods of a class that its users call, overloads included."""
    return [node for node in owner.body if isinstance(node, Method) and not node.name.startswith("_")]


def decorators_of(method: Method) -> list[str]:
    """Return the decorators, without `@`."""
    return [ast.unparse(decorator) for decorator in method.decorator_list]


def is_property(method: Method) -> bool:
    """Whether it is read, not called."""
    return not {"property", "cached_property"}.isdisjoint(decorators_of(method))


def signature_of(method: Method, source: str) -> str:
    """Return the lines of the signature."""
    return "\n".join(source.splitlines()[method.lineno - 1 : method.body[0].lineno - 1])


def docstring_of(method: Method, source: str, words: Words, name: str) -> str:
    """Return the lines of the docstring, with the words for a method of this name.

    Raises `ValueError` if it does not say what they are to replace.
    """
    text = "\n".join(source.splitlines()[method.body[0].lineno - 1 : method.body[0].end_lineno])
    here, there = words.get(name, ("", ""))
    if here not in text:
        raise ValueError(f"the docstring of {name} does not say {here!r} (any more)")
    return text.replace(here, there, 1)


def passed(method: Method, value: Callable[[ast.arg], str] = lambda argument: argument.arg) -> str:
    """Return the arguments of a call with the same parameters, each as `value` writes it."""
    arguments = method.args
    given = [value(argument) for argument in arguments.args[1:]]
    given += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    given += [f"{argument.arg}={value(argument)}" for argument in arguments.kwonlyargs]
    return ", ".join(given)


def annotation_of(argument: ast.arg) -> str:
    """Return the type of a parameter."""
    return ast.unparse(argument.annotation) if argument.annotation is not None else ""


def imports_of(tree: ast.Module, package: str = "") -> Iterator[str]:
    """Yield the imports of names of a module, those from its own package as from `package`, if it has a name."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            parent = f"{package}." if node.level and package else "." * node.level
            yield f"from {parent}{node.module} import {', '.join(alias.name for alias in node.names)}"


def type_variables_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the name and the statement of each type variable of a module."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeVar"))):
                yield name, ast.unparse(node)
            case _:
                pass


def formatted(source: str, target: Path) -> str:
    """Return a module as ruff formats it, without the imports that it does not use."""
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--fix", "--quiet", "--select", "I,F401", "-"], ["format", "--quiet", "-"]):
        done = subprocess.run(
            [*ruff, *command, f"--stdin-filename={target}"], input=source, capture_output=True, text=True, check=True
        )
        source = done.stdout
    return source
