"""The state of every part of a supervisor as frozen values, with read-only queries."""
