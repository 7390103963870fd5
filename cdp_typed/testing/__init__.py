"""What the pytest plugin gives besides browsers."""
