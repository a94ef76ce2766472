"""The words of a space with their candidate segmentations: `python -m stages.morph2vec.prepare english`.

data/<its vectors>, data/<its segmentations> -> data/corpora/morph2vec/english
"""

import sys

from repline.parameters import part
from repline.systems.morph2vec.corpus import Preparation, prepare
from repline.systems.morph2vec.settings import read, space_of
from stages import run, word_vectors
from stages.morph2vec.inputs import CORPORA, named, segmentations, space_vectors


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.spaces, "a space")
    space = space_of(settings, name)
    words, vectors = space_vectors(space)
    listed = segmentations(space.segmentations, space.language)
    sources = [word_vectors.source(place) for place in (space.vectors, *space.segmentations)]
    card = prepare(words, vectors, CORPORA / name, listed, sources, **part(Preparation, space))
    counts = card["counts"]
    print(f"{CORPORA / name}: {counts['split_words']:,} of {counts['words']:,} words have a split")


if __name__ == "__main__":
    run(main)
