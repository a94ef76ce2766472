"""Training on pairs, a dictionary and vectors, and labels of new pairs with a dictionary of a user's own."""

import numpy as np
import pytest

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.definition_nli.corpus import read_data, write_data
from repline.systems.definition_nli.evaluation import accuracies, one_sided, resampled_accuracies
from repline.systems.definition_nli.model import DefinitionNLI
from repline.systems.definition_nli.prediction import predict
from repline.systems.definition_nli.settings import Corpus, Recipe
from repline.systems.definition_nli.training import PREDICTIONS, train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store

WORDS_WITH_VECTORS = ["a", "thing", "is", "seen", "it", "warm", "cold", "of", "colour"]
RECIPE = {"dropout": 0.0, "epochs": 12, "learning_rate": 0.01, "batch": 8, "hardware": CPU}


def names(split):
    return [f"{split}{number}" for number in range({"train": 24, "dev": 6, "test": 10}[split])]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Things that only a definition says to be warm or cold; those of test are in no pair of train."""
    folder = tmp_path_factory.mktemp("sources")
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


CORPUS = Corpus(pairs="pairs", dictionary="own.tsv", vectors="vectors")


@pytest.fixture(scope="module")
def data(sources):
    write_data(sources / "data", CORPUS, sources)
    return read_data(sources / "data")


def trained(data, folder, **knobs):
    train(Recipe(**RECIPE | knobs), data, Run(folder / "model", scratch=folder / "scratch"))
    with np.load(folder / "model" / PREDICTIONS) as predictions:
        return np.array(["no", "yes"])[predictions["test"]] == np.array(data.pairs["test"].labels)


@pytest.fixture(scope="module")
def proposed(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proposed")
    return folder / "model", trained(data, folder, kind="proposed")


def test_the_data(data):
    assert {split: len(pairs.labels) for split, pairs in data.pairs.items()} == {"train": 48, "dev": 12, "test": 20}
    assert data.dictionary["test1"] == ["a", "thing", "of", "cold", "colour"] and "red" not in data.dictionary
    bare = {word for word, unknown in zip(data.words, data.unknown, strict=True) if unknown}
    assert bare == {name for split in data.pairs for name in names(split)}


def test_definitions_tell_what_no_sentence_does(data, proposed, tmp_path):
    assert proposed[1].mean() >= 0.9
    assert trained(data, tmp_path / "esim", kind="esim").mean() <= 0.8
    assert trained(data, tmp_path / "shuffled", kind="proposed", dictionary="shuffled").mean() <= 0.8


def test_a_dictionary_of_ones_own_needs_no_training(proposed, tmp_path):
    pairs, mine = tmp_path / "pairs.tsv", tmp_path / "mine.tsv"
    pairs.write_text("A zorp is seen\tit is warm\nA zorp is seen\tit is cold\n", encoding="utf-8")
    for kind, expected in (("warm", ["yes", "no"]), ("cold", ["no", "yes"])):
        mine.write_text(f"Zorp\ta thing of {kind} colour\n", encoding="utf-8")
        assert list(predict(proposed[0], pairs, mine)) == expected


@pytest.mark.parametrize(
    ("pairs", "mine", "message"),
    [
        ("A zorp\tit is\n", "zorp a thing\n", "mine.tsv, line 1: expected a headword, a tab and a definition"),
        ("a thing\tit is\na thing it is\n", "zorp\tx\n", "pairs.tsv, line 2: expected 2 fields"),
        ("a thing\tit is\n\t it is\n", "zorp\tx\n", "pairs.tsv, line 2: the first sentence is empty"),
        ("a thing\tzug zag\n", "zorp\tx\n", "pairs.tsv, line 1: no word of the second sentence has a vector"),
        ("\n", "zorp\tx\n", "found no line"),
    ],
)
def test_bad_input_of_a_prediction(pairs, mine, message, proposed, tmp_path):
    (tmp_path / "pairs.tsv").write_text(pairs, encoding="utf-8")
    (tmp_path / "mine.tsv").write_text(mine, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        predict(proposed[0], tmp_path / "pairs.tsv", tmp_path / "mine.tsv")


@pytest.mark.parametrize(
    ("split", "line", "message"),
    [
        (
            "test",
            "a thing\tit is\tmaybe",
            "test, pair or line 22: the label 'maybe' is never seen in train",
        ),
        (
            "dev",
            "a thing\tzug zag\tyes",
            "dev, pair or line 14: no word of the second sentence has a vector or a definition",
        ),
    ],
)
def test_bad_pairs_write_nothing(split, line, message, sources, tmp_path):
    (tmp_path / "tables").mkdir()
    for path in (sources / "tables").iterdir():
        text = path.read_text(encoding="utf-8") + (f"{line}\n" if path.stem == split else "")
        (tmp_path / "tables" / path.name).write_text(text, encoding="utf-8")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    with pytest.raises(InputError, match=message):
        write_data(tmp_path / "data", CORPUS.model_copy(update={"pairs": str(tmp_path / "pairs")}), sources)
    assert not (tmp_path / "data").exists()


def test_a_dictionary_without_any_of_the_words(sources, tmp_path):
    (tmp_path / "own.tsv").write_text("zorp\ta thing\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.tsv: no word of .* has a definition there"):
        write_data(tmp_path / "data", CORPUS.model_copy(update={"dictionary": str(tmp_path / "own.tsv")}), sources)
    assert not (tmp_path / "data").exists()


def test_the_model_is_as_it_was_saved(data, proposed):
    model = pretrained(DefinitionNLI, proposed[0])
    assert model.labels == ["no", "yes"] and model.words == data.words
    assert model.vectors.shape == (len(data.words) + 1, 8)


def test_accuracies_and_controls(data):
    runs = {"a": [np.array([True, False]), np.array([True, True])], "b": [np.array([False, False])] * 2}
    assert accuracies(runs)["a"]["accuracy"] == 0.75 and accuracies(runs)["b"]["seeds"] == [0.0, 0.0]
    replicates = resampled_accuracies(runs)
    assert all(replicate["b"]["accuracy"] == 0 <= replicate["a"]["accuracy"] for replicate in replicates)
    controls = one_sided(data.pairs["train"], data.pairs["test"])
    assert controls["most_frequent"] == 0.5 and controls["hypothesis"] <= 0.6
