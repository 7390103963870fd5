"""Redaction of secrets in all output: recordings, reports, logs, the live view.

`fields.py` names the members of the protocol that hold credentials, bodies or typed text; `texts.py` knows credentials
by their shape; `forms.py` sees JSON and typed values as one; `redaction.py` applies the rules, and hides texts that
were found to be secret wherever they come again; `protected.py` keeps those that a person protects.
"""

from .protected import protect
from .redaction import Redaction
from .texts import REDACTED

__all__ = ["REDACTED", "Redaction", "protect"]
