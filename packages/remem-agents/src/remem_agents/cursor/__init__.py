"""Cursor: set-up only."""
