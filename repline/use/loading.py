"""`repline.load(folder)`: a saved model as an object that takes raw input, whichever system trained it."""

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from repline.errors import InputError, in_one_line, shown
from repline.parameters import nearest
from repline.use.folders import CONFIG, RAW_INPUT, read_description
from repline.use.word_space import WordVectors
from repline.vectors import store

SYSTEMS = Path(__file__).parents[1] / "systems"


def load(folder: str | Path) -> Any:
    """The model of a folder, in evaluation mode on the CPU.

    Args:
        folder: of a saved model, or of word vectors; it may have been copied anywhere.

    Returns:
        An object with the methods of its field: `classify`, `encode`, `vector`, `score`, `translate`, ...

    Raises:
        InputError: there is no such folder, it holds no model of this project, or it is damaged.
    """
    folder = Path(folder)
    if holds_vectors(folder):
        return WordVectors.read(folder)
    description = read_description(folder)
    if description.system not in usable_systems():
        raise InputError(
            f"{folder / CONFIG}: there is no system {shown(description.system)} here"
            f"{nearest(description.system, usable_systems())}"
        )
    # some models read further files at their first use, when the program may work in another folder
    description = replace(description, folder=folder.absolute())
    load_model = importlib.import_module(f"repline.systems.{description.system}.use").load
    try:
        return load_model(description)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{folder}: {CONFIG} or {RAW_INPUT} is not as this version of repline writes it ({type(error).__name__}: "
            f"{in_one_line(error)}); copy the folder again, or train the model again"
        ) from error


def holds_vectors(folder: Path) -> bool:
    """Whether a folder is one of word vectors, and not of a model that has some."""
    is_described = (folder / CONFIG).exists() or (folder / RAW_INPUT).exists()
    return (folder / store.VECTORS).exists() and not is_described


def usable_systems() -> list[str]:
    """The systems whose saved models take raw input."""
    return sorted(path.parent.name for path in SYSTEMS.glob("*/use.py"))
