"""Preparation of pairs, a dictionary and vectors, and training on them."""

import numpy as np
import pytest

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError
from repline.evaluation.replication.units import numbered_units, single_units
from repline.pretrained import pretrained
from repline.systems.definition_nli.corpus import Split, read_data, write_data
from repline.systems.definition_nli.evaluation import accuracies, one_sided, resampled_accuracies, units_of_test_pairs
from repline.systems.definition_nli.model import DefinitionNLI
from tests.systems.definition_nli.small_pairs import CORPUS, names, trained, write_sources


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return write_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def data(sources):
    write_data(sources / "data", CORPUS, sources)
    return read_data(sources / "data")


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


def test_pairs_without_known_words_are_left_out_and_counted(sources, data, tmp_path):
    (tmp_path / "tables").mkdir()
    for path in (sources / "tables").iterdir():
        text = path.read_text(encoding="utf-8") + "a thing\tzug zag\tyes\nzug zag\tit is\tno\n"
        (tmp_path / "tables" / path.name).write_text(text, encoding="utf-8")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    salvaged = CORPUS.model_copy(update={"pairs": str(tmp_path / "pairs"), "on_error": "salvage"})
    card = write_data(tmp_path / "data", salvaged, sources)
    kept = read_data(tmp_path / "data").pairs
    assert {split: pairs.first for split, pairs in kept.items()} == {
        split: pairs.first for split, pairs in data.pairs.items()
    }
    assert card["counts"]["wrong_records"] == 6 and card["counts"]["train"] == 48
    assert card["counts"]["tokens"] == sum(
        len(tokens) for pairs in kept.values() for side in (pairs.first, pairs.second) for tokens in side
    )
    assert card["notes"][0] == (
        "salvaged: 6 wrong records left out: 3 (no word of the second sentence has a vector or a definition), "
        "3 (no word of the first sentence has a vector or a definition)"
    )


def test_a_dictionary_without_any_of_the_words(sources, tmp_path):
    (tmp_path / "own.tsv").write_text("zorp\ta thing\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.tsv: no word of .* has a definition there"):
        write_data(tmp_path / "data", CORPUS.model_copy(update={"dictionary": str(tmp_path / "own.tsv")}), sources)
    assert not (tmp_path / "data").exists()


def test_the_model_is_as_it_was_saved(data, proposed):
    model = pretrained(DefinitionNLI, proposed[0])
    assert model.labels == ["no", "yes"] and model.words == data.words
    assert model.vectors.shape == (len(data.words) + 1, 8)


def test_pairs_of_a_group_are_resampled_together():
    runs = {"a": [np.array([True, False, True, False])]}
    assert {row["a"]["accuracy"] for row in resampled_accuracies(runs, numbered_units(["x", "x", "y", "y"]))} == {0.5}
    assert len({row["a"]["accuracy"] for row in resampled_accuracies(runs, numbered_units(["v", "x", "y", "z"]))}) > 1


def test_pairs_that_share_a_sentence_are_drawn_together_where_the_source_names_no_groups():
    names = [f"pair {number}" for number in range(60)]
    first = [["a", f"sentence {number // 2}"] for number in range(60)]
    second = [["another", name] for name in names]
    assert units_of_test_pairs(Split(first, second, ["yes"] * 60, names, names))[:, 0].tolist() == [
        n // 2 for n in range(60)
    ]
    assert len(np.unique(units_of_test_pairs(Split(first, second, ["yes"] * 60, names, ["x", "y", "z"] * 20)))) == 3


def test_pairs_without_a_group_have_their_names(data):
    test = data.pairs["test"]
    assert test.groups == test.ids and len(set(test.groups)) == len(test.labels)


def test_accuracies_and_controls(data):
    runs = {"a": [np.array([True, False]), np.array([True, True])], "b": [np.array([False, False])] * 2}
    assert accuracies(runs)["a"]["accuracy"] == 0.75 and accuracies(runs)["b"]["seeds"] == [0.0, 0.0]
    replicates = resampled_accuracies(runs, single_units(2))
    assert all(replicate["b"]["accuracy"] == 0 <= replicate["a"]["accuracy"] for replicate in replicates)
    controls = one_sided(data.pairs["train"], data.pairs["test"])
    assert controls["most_frequent"] == 0.5 and controls["hypothesis"] <= 0.6
