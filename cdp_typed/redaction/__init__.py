"""Redaction of secrets in all output: recordings, reports, logs, the live view.

`fields.py` names the members of the protocol that hold credentials, bodies or typed text; `texts.py` knows credentials
by their shape; `redaction.py` applies both, and hides texts that were found to be secret wherever they come again.
"""

from .redaction import Redaction
from .texts import REDACTED

__all__ = ["REDACTED", "Redaction"]
