"""Takes blank lines away from above its section."""

from remem_agents.render import plan, section
from remem_cli import adapter

original = section.with_section


def with_section(content: bytes, lines: list[str]) -> bytes:
    written = original(content, lines)
    above, mark, rest = written.partition(section.START)
    return above.rstrip(b"\n") + b"\n" + mark + rest if above.endswith(b"\n\n") else written


plan.with_section = with_section  # type: ignore[attr-defined]
adapter.main()
