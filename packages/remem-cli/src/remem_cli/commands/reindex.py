"""`remem reindex`: build anew what can be built from the episodes, and lose nothing else."""

import argparse

from remem_cli import options, wiring
from remem_cli.output import Output, plural
from remem_protocol import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--prune", action="store_true", help="drop the vectors of other embedding models"
    )
    parser.add_argument("--quiet", action="store_true", help="say only what went wrong")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Build the word index, then the vectors that are missing; only then drop others."""
    output.quiet = arguments.quiet
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet, so there is nothing to index")
    with wiring.open_memory() as memory:
        respelled = memory.rebuild_words()
        embedded = memory.embed_pending(
            progress=output.progress("embedding (Ctrl-C loses nothing, the next run goes on)")
        )
        pruned = memory.prune_vectors() if arguments.prune else 0
        status = memory.status()
        space = memory.embedder.space
    others = sum(count for name, count in status.vectors.items() if name != space)
    if arguments.json:
        figures = {"respelled": respelled, "embedded": embedded, "pruned": pruned}
        output.json({**figures, "space": space, "vectors": status.vectors})
        return 0
    output.note(f"The word index was built again, {respelled:,} spelled anew.")
    output.note(f"{plural(embedded, 'vector')} made in {space}.")
    if pruned:
        output.note(f"{plural(pruned, 'vector')} of other models dropped.")
    elif others:
        output.note(f"{plural(others, 'vector')} of other models kept; --prune drops them.")
    return 0
