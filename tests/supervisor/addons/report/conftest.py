"""The pictures in a recording are taken of stages, as those of the supervisor's tests."""

from tests.supervisor.conftest import stage

__all__ = ["stage"]
