"""Speaks another major version."""

import minimal

start = minimal.start
minimal.OPS["start"] = lambda given: start(given) | {"protocols": ["2.0"]}
minimal.main()
