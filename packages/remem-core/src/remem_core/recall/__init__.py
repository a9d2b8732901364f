"""Recall: a question in, ranked episodes out. Query and scoring are pure; `search` reads."""
