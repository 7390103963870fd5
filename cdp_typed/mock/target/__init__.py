"""Attachment, discovery and workers."""
