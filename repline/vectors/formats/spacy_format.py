"""The vectors of a spaCy pipeline: an installed package, or the folder of a model."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from spacy.strings import StringStore
from spacy.vectors import Vectors

from repline.errors import InputError, in_one_line, shown
from repline.vectors.store import check

KEYS = Path("vocab") / "key2row"


def read_spacy(package_or_folder: str | Path) -> tuple[list[str], np.ndarray]:
    """Read every word that a spaCy pipeline has a vector for; no code of the pipeline runs.

    A pruned pipeline has fewer rows than words: words of one row get the same vector here, as they do in spaCy.

    Args:
        package_or_folder: the name of an installed package ("en_core_web_md"), a folder of it, or of a model on disk.

    Returns:
        V words in the order of the pipeline's own table, which is not one by frequency, and their vectors [V, d] as
        stored, float32.

    Raises:
        InputError: there is no such package or no vectors in it, they are floret's (which has no words), a file is
            damaged, a key has no row or no word, or a value is not finite.
    """
    folder = model_folder(package_or_folder)
    vocabulary = folder / "vocab"
    vectors = Vectors()
    try:
        vectors.from_disk(vocabulary)
    except (OSError, ValueError, EOFError, TypeError, KeyError) as error:
        raise InputError(f"{vocabulary}: these are no whole vectors of spaCy ({in_one_line(error)})") from None
    if vectors.mode != "default":
        raise InputError(f"{vocabulary}: these are floret vectors, which have no list of words")
    if not vectors.key2row or not vectors.data.size:
        raise InputError(f"{vocabulary}: this pipeline has no word vectors")
    rows = np.fromiter(vectors.key2row.values(), np.int64, len(vectors.key2row))
    if rows.min() < 0 or rows.max() >= len(vectors.data):
        key = list(vectors.key2row)[int(((rows < 0) | (rows >= len(vectors.data))).argmax())]
        raise InputError(
            f"{vocabulary / 'key2row'}: word {shown(_word(vectors.strings, key, vocabulary))} has row "
            f"{vectors.key2row[key]}, but there are {len(vectors.data)}"
        )
    words = [_word(vectors.strings, key, vocabulary) for key in vectors.key2row]
    in_order = len(rows) == len(vectors.data) and bool((np.diff(rows) == 1).all())
    matrix = vectors.data if in_order else vectors.data[rows]
    check(words, matrix, str(vocabulary))
    return words, matrix


def model_folder(package_or_folder: str | Path) -> Path:
    """The folder that holds `vocab/key2row`: the one given, one inside it, or one of an installed package."""
    folder = Path(package_or_folder)
    if not folder.exists():
        name = str(package_or_folder).replace("-", "_")
        spec = find_spec(name) if name.isidentifier() else None
        if spec is None or not spec.submodule_search_locations:
            raise InputError(f"{package_or_folder}: there is no such file or folder, and no package of this name")
        folder = Path(spec.submodule_search_locations[0])
    folders = sorted(path.parents[1] for pattern in ("", "*", "*/*") for path in folder.glob(str(Path(pattern) / KEYS)))
    if not folders:
        raise InputError(f"{folder}: there is no {KEYS} in it, so this is no spaCy pipeline with vectors")
    return folders[0]


def _word(strings: StringStore, key: int, vocabulary: Path) -> str:
    try:
        return strings[key]
    except KeyError:
        raise InputError(f"{vocabulary / 'strings.json'}: the key {key} has a vector but no word") from None
