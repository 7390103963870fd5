"""The tiny document of a page: what its scripts find in it, in its window and in its storage."""
