"""Errors that the test author makes with the mock.

    CDPError
    `-- MockError
        |-- NonConforming     a message that the schema forbids was about to leave the mock
        |-- NotEnabled        an event of a domain that the session has not enabled
        |-- NoSuchThing       a session, target, frame, method or event that the mock does not have
        |-- ScenarioError     a scenario file or a recording that cannot be read
    `-- SiteError         a site whose description cannot be served

What the client under test does wrong is never raised here: it is answered over the wire, as Chrome does.
"""

from __future__ import annotations

from cdp_typed.errors import CDPError


class MockError(CDPError):
    """A mistake of the test author."""


class NonConforming(MockError):
    """A message of `method` would violate the schema; `path` names the field."""

    def __init__(self, method: str, path: str, problem: str) -> None:
        super().__init__(f"{method}: {path}: {problem}")
        self.method = method
        self.path = path
        self.problem = problem


class NotEnabled(MockError):
    """`session` has not enabled `domain`, so that Chrome would not send it `method`."""

    def __init__(self, method: str, domain: str, session: str) -> None:
        super().__init__(f"{method}: session {session} has not enabled {domain}")
        self.method = method
        self.domain = domain
        self.session = session


class NoSuchThing(MockError):
    """The mock has no such session, target, frame, method or event; the message lists the existing ones."""


class ScenarioError(MockError):
    """A scenario file or a recording cannot be read; the message names the file, with the line or the field."""


class SiteError(MockError):
    """A page of the site cannot be served: its script does not parse, or a URL is not absolute."""
