"""The lines of pages: of all frames together, as texts, and what is different since a page was read before."""
