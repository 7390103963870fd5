"""Checks and samples made from `protocol.json`."""
