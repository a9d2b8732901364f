"""The owner's commands: the one package that knows all the others."""

__version__ = "0.1.0"
