"""What keeps a memory: snapshots, export and import, forgetting, repair."""
