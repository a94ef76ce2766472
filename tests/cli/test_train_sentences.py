"""`repline train` of roles in sentences and relations of two sentences, in a folder that is no checkout."""

import json
import shutil

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from tests.cli.train_command import TOPICS, notes_of, train, trained, write_topic_vectors


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with word vectors."""
    monkeypatch.chdir(tmp_path)
    write_topic_vectors(tmp_path / "mine.txt")
    return tmp_path


def write_roles(path, sizes) -> None:
    """Sentences in which an animal sees an animal."""
    rng = np.random.default_rng(0)
    arguments = [["A0", 0, 1], ["V", 2, 2], ["A1", 3, 4]]
    lines = []
    for split, size in sizes.items():
        for number in range(size):
            first, second = rng.choice(TOPICS["animals"], 2)
            words = ["the", str(first), str(rng.choice(["sees", "likes"])), "a", str(second)]
            row = {"id": f"{split}-{number + 1}", "split": split, "words": words, "props": [{"args": arguments}]}
            lines.append(json.dumps(row) + "\n")
    path.write_text("".join(lines))


@pytest.mark.parametrize("options", [[], ["--tagger", "--vectors", "mine.txt"]])
def test_srl_seq2seq_labels_a_new_sentence(folder, options):
    write_roles(folder / "roles.jsonl", {"train": 160, "dev": 20, "test": 4})
    sizes = ["--units", "16", "--epochs", "6", "--batch", "8", "--learning-rate", "0.01"]
    model = trained(folder, "srl_seq2seq", "--data", "roles.jsonl", *sizes, *options)
    (predicate,) = model.label("the cow likes a goat", "likes").predicates
    roles = {role.label: role.text for role in predicate.roles}
    assert roles["A0"] == "the cow" and roles["A1"] == "a goat"


def test_srl_seq2seq_says_which_sentences_are_too_long(folder):
    write_roles(folder / "roles.jsonl", {"train": 12, "dev": 2, "test": 2})
    lines = (folder / "roles.jsonl").read_text().splitlines()
    long = json.loads(lines[0]) | {"id": "train-99"}
    lines.append(json.dumps(long | {"words": long["words"] + ["again"] * 100}))
    (folder / "roles.jsonl").write_text("\n\n".join(lines) + "\n")
    options = ["--data", "roles.jsonl", "--units", "2", "--epochs", "1"]
    message = "left out: {} predicates of train whose sentence with brackets is over {} tokens"
    assert message.format(1, 100) in notes_of("srl_seq2seq", *options)
    assert "left out" not in notes_of("srl_seq2seq", *options, "--longest", "200")
    with pytest.raises(InputError, match="expected instances in train"):
        train("srl_seq2seq", *options, "--longest", "5")


def write_pairs(folder, sizes) -> None:
    """Two sentences of the same topic, or of two topics."""
    rng = np.random.default_rng(0)
    folder.mkdir()
    topics = list(TOPICS.values())
    for split, size in sizes.items():
        lines = ["sentence1\tsentence2\tlabel\n"]
        for _ in range(size):
            first, second = rng.integers(0, 2, 2)
            sides = [f"the {rng.choice(topics[row])} near the {rng.choice(topics[row])}" for row in (first, second)]
            lines.append(f"{sides[0]}\t{sides[1]}\t{'same' if first == second else 'different'}\n")
        (folder / f"{split}.tsv").write_text("".join(lines))


@pytest.mark.parametrize("system", ["definition_nli", "supervised_unsupervised"])
def test_pairs_with_labels_classify_a_new_pair(folder, system):
    write_pairs(folder / "pairs", {"train": 400, "test": 10})
    (folder / "words.tsv").write_text("cat\ta dog\nwheel\tan engine near the road\n")
    options = {
        "definition_nli": ["--dictionary", "words.tsv", "--learning-rate", "0.003"],
        "supervised_unsupervised": ["--units", "16", "--learning-rate", "0.01"],
    }[system]
    training = ["--epochs", "16", "--batch", "16"]
    model = trained(folder, system, "--data", "pairs", "--vectors", "mine.txt", *training, *options)
    pairs = [("the dog near the cow", "The goat near the sheep."), ("the road near the brake", "the cat"), ("", "")]
    answers = model.classify(pairs)
    assert [answer.label for answer in answers[:2]] == ["same", "different"] and not answers[2].known_words
    if system == "supervised_unsupervised":
        assert model.similarity("the cat", "a dog") > model.similarity("the cat", "a brake")
        assert json.loads((folder / "model/encoder.json").read_text())["vectors"] == "vectors"
        moved = shutil.move(folder / "model", folder / "elsewhere")
        assert load_encoder(moved)(["the cat"]).any()


@pytest.mark.parametrize(
    ("system", "sizes", "message"),
    [
        ("srl_seq2seq", {"train": 3}, "^mine: expected instances in dev"),
        ("srl_seq2seq", {}, "^mine: expected files of roles"),
        ("supervised_unsupervised", {"train": 30}, "^mine: there is no pair in the split 'test'"),
        ("definition_nli", {}, "^mine: expected train.tsv, dev.tsv and test.tsv"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, system, sizes, message):
    options = ["--vectors", "mine.txt", "--data", "mine"]
    if system != "srl_seq2seq":
        write_pairs(folder / "mine", sizes)
        options += ["--dictionary", "words.tsv"] if system == "definition_nli" else []
    else:
        (folder / "mine").mkdir()
        if sizes:
            write_roles(folder / "mine" / "roles.jsonl", sizes)
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=message):
        train(system, *options)
    assert {path.name for path in folder.iterdir()} == before
