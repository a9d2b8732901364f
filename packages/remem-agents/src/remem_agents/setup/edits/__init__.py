"""Changing a configuration's text: our entries go in and out, every other byte stays."""
