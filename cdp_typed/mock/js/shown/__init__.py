"""What clients see of the values of scripts: remote objects and their previews."""
