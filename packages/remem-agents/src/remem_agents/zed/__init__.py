"""Zed: set-up only."""
