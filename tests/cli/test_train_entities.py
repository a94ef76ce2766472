"""`repline train` of names, entities and documents on files of one's own, in a folder that is no checkout."""

import numpy as np
import pytest

from repline.errors import InputError
from tests.cli.train_command import TOPICS, notes_of, topic_sentences, train, trained, write_topic_vectors


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with word vectors and a text."""
    monkeypatch.chdir(tmp_path)
    write_topic_vectors(tmp_path / "mine.vec")
    (tmp_path / "text.txt").write_text("\n".join(topic_sentences(100)) + "\n")
    return tmp_path


def test_jet_tells_the_entities_of_a_text(folder):
    lines = ["cat\tcat.animal\tanimal\ta pet", "goat\tgoat.animal", "wheel\twheel.part", "cat\tcat.tractor\tmachine"]
    (folder / "terms.tsv").write_text("\n".join(lines) + "\n")
    model = trained(folder, "jet", "--data", "text.txt", "--terms", "terms.tsv", "--dimensions", "8", "--passes", "2")
    mentions = model.disambiguate("the cat and a wheel")
    assert [mention.text for mention in mentions] == ["cat", "wheel"]
    assert mentions[0].entity in ("cat.animal", "cat.tractor") and mentions[1].entity == "wheel.part"
    assert model.vector("goat.animal").shape == (8,)


@pytest.mark.parametrize("classifier", ["lr", "mlp"])
def test_name_typing_types_a_name_of_a_topic(folder, classifier):
    rows = [f"{word}\t{topic} thing" for topic, words in TOPICS.items() for word in words]
    (folder / "names.tsv").write_text("\n".join(rows) + "\n")
    options = ["--classifier", classifier]
    options += ["--epochs", "60", "--hidden", "8", "--learning-rate", "0.02"] if classifier == "mlp" else []
    model = trained(folder, "name_typing", "--data", "names.tsv", "--vectors", "mine.vec", *options)
    answers = model.types(["goat", "brake", "zzz"])
    assert answers[0].probabilities["animals"] > answers[0].probabilities["cars"]
    assert answers[1].probabilities["cars"] > answers[1].probabilities["animals"]
    assert answers[0].probabilities["thing"] > 0.5 and not answers[2].has_vector


def test_name_typing_counts_names_without_a_vector(folder):
    rows = [f"{word}\t{topic}" for topic, words in TOPICS.items() for word in [*words, f"no {topic}"]]
    (folder / "names.tsv").write_text("\n".join(rows) + "\n")
    notes = notes_of("name_typing", "--data", "names.tsv", "--vectors", "mine.vec", "--classifier", "lr")
    assert "left out: 2 names without a vector" in notes


def test_entity_documents_gives_several_labels(folder):
    rng = np.random.default_rng(0)
    rows = []
    for number in range(60):
        topic = list(TOPICS)[number % 2]
        words = " ".join(rng.choice(TOPICS[topic], 4))
        rows.append(f"{topic}|{'odd' if number % 2 else 'even'}\tIn Berlin the {words} number {number}.")
    (folder / "documents.tsv").write_text("\n".join(rows) + "\n")
    (folder / "names.tsv").write_text("Berlin\tGPE\n")
    options = ["--filters", "8", "--epochs", "20", "--batch", "4", "--names", "names.tsv", "--mode", "type"]
    model = trained(folder, "entity_documents", "--data", "documents.tsv", *options)
    assert sorted(model.labels) == ["animals", "cars", "even", "odd"]
    answer = model.classify("In Berlin the cat goat sheep cow number 7.")
    assert answer.probabilities["animals"] > answer.probabilities["cars"] and answer.known_words > 2


def test_entity_documents_counts_what_is_there_once(folder):
    rows = [
        f"{topic}\tthe {' '.join(words[start : start + 3])}" for topic, words in TOPICS.items() for start in range(4)
    ]
    rows += [f"{topic}\tthe {words[0]} {words[-1]} {words[2]} near" for topic, words in TOPICS.items()]
    (folder / "documents.tsv").write_text("\n".join([*rows * 5, "rare\tthe near", "cars\t..."]) + "\n")
    options = ["--data", "documents.tsv", "--filters", "4", "--epochs", "1"]
    notes = notes_of("entity_documents", *options)
    assert "left out: 40 documents with the words of an earlier one" in notes
    assert "left out: 1 labels of fewer than 2 training documents" in notes
    documents = len(rows) + 1 + (0 if "left out: 1 documents without a word" in notes else 1)
    assert train("entity_documents", *options).splitlines()[-1].startswith(f"model: {documents} documents, 2 labels")


def test_jet_counts_the_terms_that_it_leaves_out(folder):
    (folder / "terms.tsv").write_text("cat\tcat.n\nwheel\twheel.n\nthe\tthe.n\none two three\tlong.n\n")
    options = ["--longest", "2", "--dimensions", "4", "--passes", "1"]
    notes = notes_of("jet", "--data", "text.txt", "--terms", "terms.tsv", *options)
    assert "left out: 1 terms of more than 2 words" in notes and "left out: 1 terms that are stop words" in notes


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["jet", "--terms", "bad.tsv", "--data", "text.txt"], "cat\n", "bad.tsv"),
        (
            ["jet", "--terms", "bad.tsv", "--data", "text.txt"],
            "zzz\tzzz.n\n",
            r"no term of bad.tsv occurs 5 times; lower",
        ),
        (
            ["jet", "--terms", "bad.tsv", "--data", "text.txt", "--minimum-count", "1"],
            "zzz\tzzz.n\n",
            r"^text.txt: no term of bad.tsv occurs 1 times; take more text$",
        ),
        (["name_typing", "--data", "bad.tsv"], "cat\n", "bad.tsv, line 1: expected a name, a tab and types"),
        (["name_typing", "--data", "bad.tsv"], "cat\ta\ncat\tb\n", "bad.tsv, line 2: the name 'cat' is there twice"),
        (["name_typing", "--data", "bad.tsv"], "cat\ta\n", "bad.tsv: expected 3 names at least"),
        (
            ["name_typing", "--data", "bad.tsv"],
            "x\ta\ny\ta\nz\ta\nw\ta\n",
            "bad.tsv: expected names .* with a vector in mine.vec",
        ),
        (["entity_documents", "--data", "bad.tsv"], "only a text\n", "bad.tsv"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, arguments, text, message):
    (folder / "bad.tsv").write_text(text)
    vectors = ["--vectors", "mine.vec"] if arguments[0] == "name_typing" else []
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=message):
        train(*arguments, *vectors)
    assert {path.name for path in folder.iterdir()} == before
