"""urn.corpora.dyck -> data/corpora/dyck: strings of balanced brackets, shallow in train and deep in test."""

from repline.systems.urn import dyck
from repline.systems.urn.settings import load
from stages import run
from stages.folders import CORPORA


def main() -> None:
    corpus = load().corpora.dyck
    folder = CORPORA / "dyck"
    dyck.generate(folder, corpus)
    print(f"{folder}: {corpus.train_strings} training and {corpus.test_strings} test strings")


if __name__ == "__main__":
    run(main)
