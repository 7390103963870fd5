"""Writes the lists that the packages hold of what others maintain: devices, and the shapes of secrets."""
