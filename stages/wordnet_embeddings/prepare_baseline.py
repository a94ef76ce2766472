"""Select vectors of text to compare with: `python -m stages.wordnet_embeddings.prepare_baseline glove_6b_50d`.

data/vectors/<baseline>, tests -> data/models/wordnet_embeddings/<name>: the vectors of the tests' words.
"""

from repline.systems.wordnet_embeddings.corpus import similarity_tests, words_of, write_baseline
from repline.systems.wordnet_embeddings.settings import load
from stages import run
from stages.argument import argument
from stages.folders import MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of a baseline", settings.baselines)
    words = words_of(similarity_tests(settings).values())
    count = write_baseline(MODELS / "wordnet_embeddings" / name, VECTORS / settings.baselines[name], words)
    print(f"{name}: {count} words of the tests")


if __name__ == "__main__":
    run(main)
