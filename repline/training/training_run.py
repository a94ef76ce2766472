"""A training of your own, outside a stage: a folder appears whole or not at all, and nothing else stays."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from repline.files import new_folder
from repline.training.run import Run, remove_checkpoints


@contextmanager
def training_run(out: str | Path, seed: int = 0) -> Iterator[Run]:
    """A run whose model appears whole in `out`.

    >>> with training_run("model") as this_run:  # doctest: +SKIP
    ...     train(recipe, texts, this_run)

    A training that was killed goes on from its checkpoints, which lie beside `out` until the model is there. After
    Ctrl-C a line names their folder. A training without checkpoints, as of a knowledge graph, begins anew.

    Args:
        out: the folder of the model; it replaces what was there.
        seed: of weights, batches and dropout.
    """
    out = Path(out)
    checkpoints = out.with_name(f".{out.name}-checkpoints")
    try:
        with new_folder(out) as partial:
            yield Run(partial, seed=seed, name=out.name, scratch=checkpoints)
    except KeyboardInterrupt:
        if checkpoints.is_dir():
            print(f"{out}: interrupted; the same command goes on from {checkpoints}", file=sys.stderr)
        raise
    remove_checkpoints([checkpoints])
