"""OpenCode: set-up only."""
