"""The command `live`."""
