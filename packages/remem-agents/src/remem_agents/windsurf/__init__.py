"""Windsurf: set-up only."""
