"""How handlers are called, and handlers made of plain functions; knows no tools."""
