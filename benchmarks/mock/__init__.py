"""The mock browser next to other fakes."""
