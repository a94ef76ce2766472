"""Train fastText on a text, for its words and those of the tests: `python -m stages.morph2vec.train_fasttext turkish`.

data/corpora/turkish, the files of params.yaml:morph2vec.tests -> data/vectors/turkish-fasttext
"""

from repline.systems.morph2vec.settings import load
from repline.systems.morph2vec.word_tests import tested_words
from repline.vectors.training import fasttext
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of a text", settings.texts)
    text, folder = settings.texts[name], VECTORS / f"{name}-fasttext"
    unseen = tested_words(settings.tests_in(text.language), text.language)
    card = fasttext(CORPORA / name, folder, text.fasttext_recipe, unseen=unseen)
    print(f"{folder}: {card['counts']['words']:,} words, those of the tests among them")


if __name__ == "__main__":
    run(main)
