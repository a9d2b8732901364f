"""What puts a lesson in front of an agent, and what it needs for that: the standard library alone.

A hook runs these modules without site-packages (`remem_agents.hook`), a live server with the model
(`remem_agents.live`). Only `lessons_file`, which writes what the hook reads, knows the records.
"""
