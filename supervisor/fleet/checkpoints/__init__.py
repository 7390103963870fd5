"""Saves the cookies and storage of a task, and restores them when the task moves to another host."""
