"""Claims the role without one of its operations."""

import minimal

start = minimal.start
minimal.OPS["start"] = lambda given: start(given) | {"ops": ["decode", "encode", "stream", "id"]}
minimal.main()
