"""Pairs about things that only a definition says to be warm or cold, and a short training on them."""

import numpy as np

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.systems.definition_nli.settings import Corpus, Recipe
from repline.systems.definition_nli.training import PREDICTIONS, train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store

WORDS_WITH_VECTORS = ["a", "thing", "is", "seen", "it", "warm", "cold", "of", "colour"]
RECIPE = {"dropout": 0.0, "epochs": 12, "learning_rate": 0.01, "batch": 8, "hardware": CPU}
CORPUS = Corpus(pairs="pairs", dictionary="own.tsv", vectors="vectors")


def names(split):
    return [f"{split}{number}" for number in range({"train": 24, "dev": 6, "test": 10}[split])]


def write_sources(folder):
    """Write pairs, definitions and vectors; the things of test are in no pair of train."""
    (folder / "tables").mkdir()
    definitions = []
    for split in ("train", "dev", "test"):
        lines = ["sentence1\tsentence2\tlabel"]
        for number, name in enumerate(names(split)):
            kind = ("warm", "cold")[number % 2]
            definitions.append(f"{name}\ta thing of {kind} colour")
            lines += [f"A {name} is seen\tit is warm\t{'yes' if kind == 'warm' else 'no'}"]
            lines += [f"A {name} is seen\tit is cold\t{'yes' if kind == 'cold' else 'no'}"]
        (folder / "tables" / f"{split}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "own.tsv").write_text("\n".join(definitions) + "\n", encoding="utf-8")
    write_pairs(folder / "tables", folder / "pairs", PairCorpus(form="own"))
    matrix = np.random.default_rng(0).standard_normal((len(WORDS_WITH_VECTORS), 8)).astype(np.float32)
    store.save(folder / "vectors", WORDS_WITH_VECTORS, matrix)
    return folder


def trained(data, folder, **knobs):
    """Train a model in `folder`/model; whether it labels each test pair right."""
    train(Recipe(**RECIPE | knobs), data, Run(folder / "model", scratch=folder / "scratch"))
    with np.load(folder / "model" / PREDICTIONS) as predictions:
        return np.array(["no", "yes"])[predictions["test"]] == np.array(data.pairs["test"].labels)
