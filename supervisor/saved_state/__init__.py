"""Saves the cookies and storage of a browser context, and restores them elsewhere."""
