"""How an error is told to the owner: one line, its code first, never a traceback."""


def explain(error: Exception) -> str:
    """Return `code: message`, whatever went wrong."""
    from remem_protocol import RememError  # here: `remem --help` needs none of the records

    if isinstance(error, RememError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        code = "not-found" if isinstance(error, FileNotFoundError) else "internal"
        where = f": {error.filename}" if error.filename else ""
        return f"{code}: {error.strerror}{where}"
    return f"internal: {type(error).__name__}: {error} (REMEM_DEBUG=1 shows where)"
