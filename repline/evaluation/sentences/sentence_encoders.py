"""Where sentence vectors come from: a folder of them, a model of this project, a callable, or an untrained encoder.

    a folder with `sentences.txt` and `vectors.npy`   a sentence a line, [n, D] in the same order
    a folder with `encoder.json`                      a model of this project; names its system: {"system": NAME};
                                                      `repline/systems/NAME/encoder.py` has a function `load(folder)`,
                                                      which gives what takes n sentences and returns [n, D]
    MODULE:NAME                                       any callable that does; a class or a function without arguments
                                                      is called once where its name ends in `()`

A training plugs its model in by `write_encoder(folder, "NAME", ...)`, and nothing else names it. An encoder with a true
attribute `transductive` is given all sentences of one file or task at a time.
"""

import importlib
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line, shown
from repline.evaluation.sentences.recipes import RandomWeights, Untrained
from repline.evaluation.sentences.sentence_cache import Encode, checked
from repline.evaluation.sentences.untrained import DEFAULT_WEIGHTS, UntrainedEncoder
from repline.files import write_json
from repline.parameters import JsonObject
from repline.reading.text_files import numbered_lines
from repline.vectors import store

ENCODER, SENTENCES, VECTORS = "encoder.json", "sentences.txt", "vectors.npy"


def load_encoder(address: str | Path) -> Encode:
    """The encoder at a place: any of the above, or the name of a folder of data/models.

    Raises:
        InputError: there is none, its file is broken, its vectors are not finite (naming the line), or a module that
            cannot be imported.
    """
    path = Path(address)
    if not path.is_dir() and (Path("data/models") / path).is_dir():
        path = Path("data/models") / path
    if path.is_dir():
        if (path / ENCODER).exists():
            return _of_the_house(path)
        if (path / VECTORS).exists() and (path / SENTENCES).exists():
            return GivenVectors(path)
        raise InputError(f"{path}: expected {ENCODER}, or {SENTENCES} and {VECTORS}; found neither")
    if re.fullmatch(r"[\w.]+:[\w.]+(\(\))?", str(address)):
        return _callable(str(address))
    raise InputError(f"{address}: expected a folder, a name in data/models or MODULE:FUNCTION, found none of these")


def untrained_encoder(kind: Untrained, vectors: str | Path, weights: RandomWeights = DEFAULT_WEIGHTS) -> Encode:
    """An encoder that is not trained, on the word vectors of a folder; as in `UntrainedEncoder`."""
    words, matrix = store.words_and_matrix(vectors)
    return UntrainedEncoder(kind, {word: row for row, word in enumerate(words)}, matrix, weights)


def write_encoder(folder: str | Path, system: str, **values: Any) -> None:
    """Say in a model's folder which system encodes with it, and what else that system's `load` wants to know.

    Args:
        folder: of the model, which is there or is being written.
        values: kept next to `system` in `encoder.json`; what JSON can hold.

    Raises:
        InputError: the system has no `encoder.py` with a function `load`.
    """
    house_system(system, str(folder))
    write_json(Path(folder) / ENCODER, {"system": system, **values})


def read_encoder(folder: str | Path) -> JsonObject:
    """The content of a folder's `encoder.json`; InputError where it is broken or names no system."""
    path = Path(folder) / ENCODER
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except ValueError as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)}); make the model again") from None
    if not isinstance(description, dict) or not isinstance(description.get("system"), str):
        raise InputError(f'{path}: expected {{"system": NAME, ...}}, found {shown(description)}')
    return description


class GivenVectors:
    """Vectors that somebody made, as an encoder of the sentences next to them.

    Raises:
        InputError: a file is missing or broken, or the files differ in length; a vector that is not finite or an empty
            sentence, with its line.
    """

    at_hand = True  # nothing is gained by keeping them elsewhere

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        lines = self.folder / SENTENCES
        try:
            vectors = np.load(self.folder / VECTORS, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{self.folder / VECTORS}: this is no whole .npy file ({in_one_line(error)})") from None
        sentences = {}
        for number, line in numbered_lines(lines):
            if not line.strip():
                raise InputError(f"{lines}, line {number}: the sentence is empty")
            sentences[line.strip()] = number - 1  # of a sentence that is there twice, the last
            last = number
        if not sentences or vectors.ndim != 2 or len(vectors) != last:
            shape = " x ".join(map(str, vectors.shape))
            raise InputError(f"{self.folder}: expected a vector for each line of {SENTENCES}, found {shape} numbers")
        self.rows = sentences
        where_by_row = {str(row): f"{lines}, line {row + 1}" for row in range(len(vectors))}
        self.vectors = checked(VECTORS, vectors, where_by_row)

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """n sentences -> float32 [n, D]; InputError for one that has no vector."""
        missing = [sentence for sentence in sentences if sentence not in self.rows]
        if missing:
            raise InputError(
                f"{self.folder / SENTENCES}: {len(missing)} sentences of the tasks are not there, the first is "
                f"{shown(missing[0])}; --sentences writes all that are asked for"
            )
        return self.vectors[[self.rows[sentence] for sentence in sentences]]


def _of_the_house(folder: Path) -> Encode:
    return house_system(str(read_encoder(folder)["system"]), f"{folder / ENCODER}").load(folder)


def house_system(name: str, where: str) -> Any:
    """The module of a system's encoder; InputError, beginning with `where`, where there is none.

    Only systems of this package are imported, whatever a file says.
    """
    if not re.fullmatch(r"\w+", name):
        raise InputError(f"{where}: {shown(name)} is not the name of a system")
    module = f"repline.systems.{name}.encoder"
    try:
        module_found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name):
            raise
        raise InputError(
            f"{where}: the system {shown(name)} has no encoder of sentences ({module} is not there)"
        ) from None
    if not callable(getattr(module_found, "load", None)):
        raise InputError(f"{where}: {module} has no function load")
    return module_found


def _callable(address: str) -> Encode:
    module, _, name = address.partition(":")
    called = name.endswith("()")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module in the folder that the command runs in
    try:
        value: Any = importlib.import_module(module)
        for part in name.removesuffix("()").split("."):
            value = getattr(value, part)
    except ModuleNotFoundError as error:
        if error.name and not f"{module}.".startswith(f"{error.name}."):
            raise
        raise InputError(f"{address}: there is no module {module} here") from None
    except AttributeError:
        raise InputError(f"{address}: {module} has no {name.removesuffix('()')}") from None
    value = value() if called else value
    if not callable(value):
        raise InputError(
            f"{address}: expected something that takes sentences and returns an array, found {value!r:.80}"
        )
    return value
