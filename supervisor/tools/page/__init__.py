"""Seeing and touching a page. No tool is declared here."""
