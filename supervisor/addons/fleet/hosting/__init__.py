"""A host: one browser and its tasks."""
