"""Write composed vectors of words without a vector as a folder of vectors."""

from pathlib import Path

from repline.cards import Card, source_of
from repline.errors import InputError
from repline.parameters import JsonObject
from repline.pretrained import pretrained
from repline.reading.text_files import numbered_lines
from repline.segmentation.morphology.letters import lower_case
from repline.systems.morph2vec.composition import compose_any, splitter
from repline.systems.morph2vec.corpus import listed_segmentations, read_words
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.settings import Space
from repline.vectors.store import save


def export(
    folder: str | Path,
    words: str | Path,
    model: str | Path,
    prepared: str | Path,
    space: Space,
    *,
    name: str,
    parameters: JsonObject,
    data: str | Path = "data",
) -> Card:
    """Write the composed vectors of the words that have known morphs, and return the card.

    Args:
        folder: replaces what was there, see `repline.vectors.store`.
        words: a file, a word a line.
        model: the folder of a trained model.
        prepared: of `repline.systems.morph2vec.corpus.write_data`; space: what was prepared there.
        name: of the model, for the card.
        parameters: of its training, for the card.
        data: the folder that the paths of the space are relative to.

    Raises:
        InputError: a file or a model is not there or broken, or no word has known morphs.
    """
    space_words = read_words(prepared)
    lines = (line.strip() for _, line in numbered_lines(words))
    requested = list(dict.fromkeys(lower_case(line, space.language) for line in lines if line))
    unseen = splitter(prepared, space_words, listed_segmentations(space, data))
    composed = compose_any(pretrained(Morph2Vec, model), requested, space_words, unseen)
    if not composed.is_known.any():
        raise InputError(
            f"{words}: none of {len(requested)} words has known morphs; take words of the language of the model"
        )
    return save(
        folder,
        [word for word, is_known in zip(requested, composed.is_known, strict=True) if is_known],
        composed.vectors[composed.is_known],
        description=f"Vectors of words without one, composed of their morphs by {name}",
        licence="that of the vectors they are composed for",
        sources=[source_of(space.vectors, data)],
        parameters={"model": name, **parameters},
        totals={"asked": len(requested)},
        tools=["torch"],
    )
