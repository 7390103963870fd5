"""A page as a model sees it. No tool is declared here."""
