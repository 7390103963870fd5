"""One document as lines of text. Pure."""
