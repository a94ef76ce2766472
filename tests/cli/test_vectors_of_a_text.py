"""`repline train` with vectors whose words have capitals, as German nouns, and with vectors of another language."""

import json

import pytest

import repline
from repline.errors import InputError
from tests.cli.train_command import notes_of, train

SENTENCES = ["Der Hund sieht das Haus im Tal.", "Die Katze liegt im Haus.", "Das Kind spielt im Tal."] * 10
NOUNS = ["Hund", "Katze", "Haus", "Kind", "Tal", "Baum", "Dog", "House"]
WORDS = ["der", "die", "das", "im", "sieht", "liegt", "spielt", *NOUNS]
KNOWN = {"usif": "Baum", "rnn_cnn": "Baum", "supervised_unsupervised": "Hund", "definition_nli": "Hund"}
WITHOUT_VECTOR = {  # full stops; im is split in English, and a, the, see, car and well are English
    "rnn_cnn": "1 of 13 words",
    "supervised_unsupervised": "3 of 12 words",
    "definition_nli": "3 of 12 words",
    "entity_documents": "5 of 7 words",
}
SMALL = ["--epochs", "1", "--batch", "4"]
OPTIONS = {
    "usif": ["--data", "text.txt", "--language", "de", "--components", "1"],
    "rnn_cnn": ["--data", "text.txt", "--units", "2", "--targets", "2", *SMALL],
    "supervised_unsupervised": ["--data", "pairs", "--units", "2", *SMALL],
    "definition_nli": ["--data", "pairs", "--dictionary", "words.tsv", *SMALL],
    "srl_seq2seq": ["--data", "roles.jsonl", "--units", "2", *SMALL],
    "entity_documents": ["--data", "documents.tsv", "--filters", "2", *SMALL],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with German texts, and vectors of German words and of others."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "german.vec").write_text("".join(f"{word} {row} 1 {row % 3}\n" for row, word in enumerate(WORDS)))
    (tmp_path / "other.vec").write_text("qq 1 2 3\nrr 3 1 2\n")
    (tmp_path / "text.txt").write_text("\n".join(SENTENCES) + "\n")
    (tmp_path / "words.tsv").write_text("hund\tein Tier\n")
    (tmp_path / "pairs").mkdir()
    for split in ("train", "dev", "test"):
        rows = [f"{first}\t{second}\t{first == second}\n" for first in SENTENCES[:2] for second in SENTENCES[:2]]
        (tmp_path / "pairs" / f"{split}.tsv").write_text("sentence1\tsentence2\tlabel\n" + "".join(rows))
    props = [{"args": [["A0", 0, 1], ["V", 2, 2]]}]
    roles = [
        {"id": f"{split}-{number}", "split": split, "words": sentence[:-1].split(), "props": props}
        for split in ("train", "dev", "test")
        for number, sentence in enumerate(SENTENCES)
    ]
    (tmp_path / "roles.jsonl").write_text("".join(json.dumps(row) + "\n" for row in roles))
    topics = {"home": "A dog sees the house.", "street": "The dog sees a car."}
    documents = [f"{topic}\t{text}{' Well.' * number}\n" for number in range(10) for topic, text in topics.items()]
    (tmp_path / "documents.tsv").write_text("".join(documents))
    return tmp_path


@pytest.mark.parametrize("system", OPTIONS)
def test_a_noun_has_the_vector_of_its_capital(system):
    notes = notes_of(system, *OPTIONS[system], "--vectors", "german.vec")
    assert "have no vector" in notes if system in WITHOUT_VECTOR else not notes
    assert WITHOUT_VECTOR.get(system, "") in notes
    if system in KNOWN:
        model = repline.load("model")
        (answer,) = model.answers([dict.fromkeys(model.fields, KNOWN[system])])
        assert answer["known_words"]


@pytest.mark.parametrize("system", OPTIONS)
def test_vectors_of_another_language_are_refused(folder, system):
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=r"^other\.vec: none of the \d+ words of the text has a vector"):
        train(system, *OPTIONS[system], "--vectors", "other.vec")
    assert {path.name for path in folder.iterdir()} == before


def test_words_without_a_vector_are_counted(folder):
    (folder / "few.vec").write_text("Hund 1 0\nhaus 0 1\nHAUS 1 1\n")
    (folder / "text.txt").write_text("Der Hund\nDer Hund\nHaus\n")
    notes = notes_of("usif", "--data", "text.txt", "--vectors", "few.vec", "--language", "de", "--components", "1")
    assert "1 of 3 words (40.0 % of the text) have no vector" in notes
    model = repline.load("model")
    assert list(model.index) == ["hund", "haus", "HAUS"]
    with pytest.raises(InputError, match=r"^text.txt: 3 sentences with a vector are too few to find 3 common"):
        (folder / "text.txt").write_text("Der Hund\nDer Hund\nHaus\nDer\n")
        train("usif", "--data", "text.txt", "--vectors", "few.vec", "--language", "de", "--components", "3")
