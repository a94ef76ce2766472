"""Pairs whose label is whether the same word ends both, vectors of eight dimensions, and a training of a second."""

import numpy as np

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.systems.supervised_unsupervised.corpus import read_data, write_data
from repline.systems.supervised_unsupervised.settings import Corpus, Recipe
from repline.systems.supervised_unsupervised.training import train
from repline.vectors import store

WORDS = ["a", "cat", "cold", "dog", "is", "it", "sleeps", "thing", "walks", "warm"]
CORPUS = Corpus(pairs=["pairs"], vectors="vectors")
SMALL = {"epochs": 2, "learning_rate": 0.01, "batch": 4, "units": 4, "hidden": 5, "gradient_clip": 5.0}


def write_sources(root):
    """Write the corpus of pairs and the folder of vectors."""
    (root / "tables").mkdir()
    for split, subjects in (("train", ["dog", "cat", "thing"]), ("dev", ["dog"]), ("test", ["cat"])):
        rows = [
            f"A {subject} {first_verb}\tit {second_verb} zorp\t{'yes' if first_verb == second_verb else 'no'}"
            for subject in subjects
            for first_verb in ("sleeps", "walks")
            for second_verb in ("sleeps", "walks")
        ]
        text = "\n".join(["sentence1\tsentence2\tlabel", *rows]) + "\n"
        (root / f"tables/{split}.tsv").write_text(text, encoding="utf-8")
    write_pairs(root / "tables", root / "pairs", PairCorpus(form="own"))
    store.save(root / "vectors", WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 8)).astype(np.float32))


def write_small(root):
    """The data of the system, made of the sources."""
    write_sources(root)
    write_data(root / "data", CORPUS, root)
    return read_data(root / "data")


def train_small(root, data, this_run, **knobs):
    """Train a model of the data of `write_small`."""
    train(Recipe(**SMALL | knobs), data, root / "vectors", CORPUS, this_run)
