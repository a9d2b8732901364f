"""The store: one SQLite file, one write path, one read path."""
