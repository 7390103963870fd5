"""Addresses as browsers read them, and the patterns of `UrlRules`."""
