"""Batches of pairs, training to retrieval, and the corpus on disk."""

import json

import numpy as np
import pytest
import torch

from repline.corpora.parallel.multiway import Tokenised, build
from repline.corpora.parallel.recipes import MultiwayCorpus
from repline.errors import InputError
from repline.systems.multilingual_seq2seq.corpus import read_data, write_data, write_test
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.pair_batches import pair_batches
from repline.systems.multilingual_seq2seq.settings import Numbering, Recipe
from repline.systems.multilingual_seq2seq.splits import at_random, part_of
from repline.systems.multilingual_seq2seq.training import TRIED, dev_retrieval, kept_epoch, pair_tensors, train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.systems.multilingual_seq2seq.small_texts import small_data
from tests.training.pretend_processes import be_process

KNOBS = {"dimensions": 8, "units": 4, "layers": 1, "learning_rate": 0.02, "batch": 16, "hardware": CPU}
PAIRS = [["en", "de"], ["en", "fr"]]


def test_batches_are_of_one_pair_of_languages_in_turn():
    sides = pair_tensors(small_data(), PAIRS)
    loader = pair_batches(*sides, 16, seed=1)
    batches = list(loader)
    assert len(loader) == len(batches) == 8
    assert [int(number[0]) for number, _, _ in batches] == [0, 1] * 4
    assert all(len(set(number.tolist())) == 1 for number, _, _ in batches)
    assert sorted(row for _, first, _ in batches for row in map(tuple, (first > 0).sum(1, keepdim=True).tolist())) == (
        sorted(map(tuple, (sides[1] > 0).sum(1, keepdim=True).tolist()))
    )
    assert all(bool((first[:, -1] != 0).any()) for _, first, _ in batches)
    loader.sampler.set_epoch(1)
    again = list(loader)
    assert not all(
        len(before[1]) == len(after[1]) and before[1].equal(after[1])
        for before, after in zip(batches, again, strict=True)
    )
    bucketed = sum(first.numel() for _, first, _ in batches)
    assert bucketed < sum(first.numel() for _, first, _ in pair_batches(*sides, 16, seed=1, bucketed=False))


def test_two_processes_read_every_pair(monkeypatch):
    numbers, first = torch.zeros(9, dtype=torch.long), torch.arange(1, 10)[:, None]
    read = []
    for rank in range(2):
        be_process(monkeypatch, rank, 2)
        read += [row for _, words, _ in pair_batches(numbers, first, first, 4) for row in words[:, 0].tolist()]
    assert sorted(read) == list(range(1, 10))


@pytest.mark.parametrize("kind", ["bag", "lstm"])
def test_the_similarity_loss_makes_translations_neighbours(tmp_path, kind):
    data, retrieval = small_data(), {}
    for similarity in (0.0, 1.0):
        folder = tmp_path / str(similarity)
        recipe = Recipe(**KNOBS, kind=kind, similarity=similarity, epochs=12)
        train(recipe, data, PAIRS, Run(folder, scratch=tmp_path / "scratch"))
        model = MultilingualEncoderDecoder.from_pretrained(folder).eval()
        retrieval[similarity] = dev_retrieval(model, data)["dev_retrieval"]
        record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
        assert record["history"][-1]["train_translation"] < record["history"][0]["train_translation"]
        by_epoch = [epoch["dev_retrieval"] for epoch in record["history"]]
        expected = max(by_epoch) if similarity else by_epoch[-1]  # without the loss retrieval says nothing of an epoch
        assert retrieval[similarity] == pytest.approx(expected, abs=1e-9)
        assert kept_epoch(folder)["dev_retrieval"] == expected
    assert retrieval[1.0] > retrieval[0.0] + 0.1


def test_of_several_betas_that_with_the_best_retrieval_is_kept(tmp_path):
    data, folder = small_data(), tmp_path / "models" / "seed-0"
    recipe = Recipe(**KNOBS, kind="bag", weight_decays=[0.0001, 0.1], epochs=3)
    train(recipe, data, PAIRS, Run(folder, scratch=tmp_path / "scratch"))
    tried = json.loads((folder / TRIED).read_text(encoding="utf-8"))
    beta = json.loads((folder / "training.json").read_text(encoding="utf-8"))["settings"]["weight_decay"]
    assert set(tried) == {"0.0001", "0.1"} and tried[f"{beta:g}"] == max(tried.values())
    assert kept_epoch(folder)["dev_retrieval"] == max(tried.values())
    assert [path.name for path in folder.parent.iterdir()] == ["seed-0"]


def test_alpha_can_be_measured(tmp_path):
    recipe = Recipe(**KNOBS, kind="bag", similarity=2.0, weighed="comparable", epochs=1)
    run = Run(tmp_path / "m", scratch=tmp_path / "scratch")
    train(recipe, small_data(), PAIRS, run)
    assert len(run.checkpoints) == 2 and all(folder.is_dir() for folder in run.checkpoints)
    record = json.loads((tmp_path / "m/training.json").read_text(encoding="utf-8"))
    assert record["similarity_weight"] > 0 and record["similarity_weight"] != 2.0


def test_a_pair_that_is_not_there_is_named(tmp_path):
    for pair, message in (
        (["en", "xx"], "no language 'xx'"),
        (["en", "fr"], "expected training text in both en and fr, found none"),
    ):
        data = small_data()
        if pair[1] == "fr":
            data.sets["train"].ids.pop("fr")
        with pytest.raises(InputError, match=message):
            pair_tensors(data, [pair])


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    lines = {"en": "the {0} sees a {1} .", "de": "der {0}e sieht einen {1}en ."}
    words = ["dog", "cat", "man", "bird", "fish"]
    for part, count in (("train", 20), ("dev", 5), ("test", 6)):
        for language, line in lines.items():
            rows = [line.format(words[n % 5], words[(n // 5) % 5]) for n in range(count)]
            (folder / f"{part}.{language}.txt").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    build(folder, tmp_path / "built", MultiwayCorpus(languages=["en", "de"]))
    return tmp_path


PARTS = {part: [part] for part in ("train", "dev", "test")}


def test_a_corpus_is_numbered_split_and_read_again(corpus):
    languages = ["en", "de"]
    numbering = Numbering(languages=languages, parts=PARTS, minimum_count=2)
    card = write_data(corpus / "built", corpus / "data", numbering)
    data = read_data(corpus / "data")
    assert card["counts"]["learned"] == 20 and {name: len(texts.documents) for name, texts in data.sets.items()} == {
        "train": 20,
        "dev": 5,
        "test": 6,
    }
    assert data.words[:5] == ["<pad>", "<unk>", "<end>", "<en>", "<de>"]
    words = {language: {data.words[number] for number in rows} for language, rows in data.rows.items()}
    assert "dog" in words["en"] and "dog" not in words["de"] and "." in words["en"] & words["de"]
    assert " ".join(data.words[number] for number in data.sets["test"].ids["de"][1]) == "der cate sieht einen dogen ."
    drawn = Numbering(languages=languages, dev=0.2, test=0.3, number=9)
    random = write_data(corpus / "built", corpus / "random", drawn)
    assert random["counts"]["learned"] == 9 and random["counts"]["texts_test"] == pytest.approx(10, abs=1)
    write_test(corpus / "built", corpus / "data", corpus / "again", name="again")
    tested = read_data(corpus / "data", [corpus / "again"]).sets
    assert set(tested) == {"train", "dev", "test", "again/train", "again/dev", "again/test"}
    assert tested["again/test"].ids == tested["test"].ids


def test_documents_and_blocks_stay_whole():
    texts = [Tokenised("a", str(n), {"en": ["x"], "de": ["y"]}, f"d{n // 3}", None) for n in range(90)]
    split = at_random(texts, 0.2, 0.3, 5, None, np.random.default_rng(0))
    assert sum(map(len, split.values())) == 90 and all(split.values())
    part_of_block = {int(text.document[1:]) // 5: part for part, texts in split.items() for text in texts}
    assert all(part_of_block[int(text.document[1:]) // 5] == part for part, texts in split.items() for text in texts)
    few = at_random(texts, 0.2, 0.3, 1, 10, np.random.default_rng(0))
    assert len({text.document for texts in few.values() for text in texts}) == 10 and sum(map(len, few.values())) == 30
    names = ("test_en_de", "topics/train", "news/a", "news")
    assert [part_of(name) for name in names] == [("own", "test"), ("topics", "train"), None, None]


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"parts": PARTS, "minimum_count": 100}, "language en has no vocabulary"),
        ({"parts": PARTS | {"dev": ["val"]}}, "no origin 'val'; there are dev, test, train"),
        ({"parts": {"train": ["train"]}}, "parts should name train, dev and test"),
        ({"dev": 0.0, "test": 0.2}, "expected text of en and de for dev, found none"),
    ],
)
def test_a_persons_mistake_leaves_nothing(corpus, knobs, message):
    with pytest.raises(InputError, match=message):
        write_data(corpus / "built", corpus / "data", Numbering(languages=["en", "de"], **knobs))
    assert not (corpus / "data").exists()


def test_dropout_and_order_depend_on_the_seed_alone(tmp_path):
    weights = []
    for run in range(2):
        this_run = Run(tmp_path / f"m{run}", seed=3, scratch=tmp_path / f"s{run}")
        train(Recipe(**KNOBS, epochs=1, similarity=1.0), small_data(20), PAIRS, this_run)
        weights.append(MultilingualEncoderDecoder.from_pretrained(tmp_path / f"m{run}").state_dict())
    assert all(torch.equal(weights[0][key], weights[1][key]) for key in weights[0])
