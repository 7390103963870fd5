"""Tasks for the toolsets that are off by default, through our server and through others with all their groups."""
