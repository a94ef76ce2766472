"""repline: corpora, models and evaluation of published representation-learning systems."""

from pathlib import Path
from typing import Any

from repline.extras import name_extras
from repline.version import VERSION as __version__

__all__ = ["__version__", "load"]

name_extras()


def load(folder: str | Path) -> Any:
    """A saved model, or word vectors, as an object that takes raw input; see `repline.use.loading.load`."""
    from repline.use.loading import load  # torch and gensim take seconds to import

    return load(folder)
