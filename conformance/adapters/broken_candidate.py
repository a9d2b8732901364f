"""Shows what is nobody's lesson yet."""

from remem_cli import adapter, serving

serving.SHOWN = ("own", "candidate", "corroborated", "confirmed")  # type: ignore[assignment]
adapter.main()
