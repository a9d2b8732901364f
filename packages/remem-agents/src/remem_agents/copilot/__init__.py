"""Copilot CLI (and what else writes its event log): an append-only stream of typed events.

The events are those of the published schema of the Copilot SDK; what a tool's text looks like was
seen in public session logs.
"""

from remem_agents.copilot.reader import CopilotReader

__all__ = ["CopilotReader"]
