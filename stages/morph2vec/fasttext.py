"""fastText vectors of a text and of all words that are tested: `python -m stages.morph2vec.fasttext turkish`.

data/corpora/turkish, the files of params.yaml:morph2vec.tests -> data/vectors/turkish-fasttext
"""

import sys

from repline.segmentation.morphology.segmentation_files import labels
from repline.systems.morph2vec.settings import Settings, fasttext_options, read, space_of
from repline.systems.morph2vec.word_tests import read_questions, read_similarity, words_of
from repline.vectors.training import fasttext
from stages import run
from stages.morph2vec.inputs import DATA, named


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.texts, "a text")
    text = settings.texts[name]
    folder = DATA / "vectors" / f"{name}-fasttext"
    knobs = fasttext_options(text)
    card = fasttext(DATA / "corpora" / name, folder, lower=False, unseen=tested_words(settings, text.language), **knobs)
    print(f"{folder}: {card['counts']['words']:,} words, those of the tests among them")


def tested_words(settings: Settings, language: str) -> list[str]:
    """The words and the forms of morphemes in the tests of the spaces of a language."""
    found: list[str] = []
    for name, tests in settings.tests.items():
        if space_of(settings, name).language == language:
            pairs = [read_similarity(DATA / place, language) for place in tests.similarity.values()]
            questions = [read_questions(DATA / place, language) for place in tests.analogies.values()]
            found += words_of(pairs, questions)
            if tests.allomorphs:
                found += sorted(set().union(*labels(DATA / tests.allomorphs).values()))
    return found


if __name__ == "__main__":
    run(main)
