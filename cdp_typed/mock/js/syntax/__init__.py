"""The text of a script, split into tokens and parsed into a tree."""
