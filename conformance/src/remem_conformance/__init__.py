"""Vectors and a runner that drive any implementation of the remem protocol as a child process."""

__version__ = "0.1.0"
