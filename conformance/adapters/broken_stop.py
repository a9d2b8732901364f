"""Fails as it leaves."""

import sys

import minimal

minimal.main()
sys.exit(7)
