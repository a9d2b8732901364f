"""Goose: set-up only."""
