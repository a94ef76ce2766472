"""`repline train` of vectors and ratings with lexicons of one's own, in a folder that is no checkout."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.use.word_space import WordVectors
from repline.vectors import store
from repline.vectors.formats import readers
from tests.cli.train_command import OTHER_WORDS, TOPICS, notes_of, topic_sentences, train, trained, write_topic_vectors

WORDS = [word for words in TOPICS.values() for word in words]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with word vectors and lists of neighbours across the topics."""
    monkeypatch.chdir(tmp_path)
    write_topic_vectors(tmp_path / "mine.txt")
    animals, cars = TOPICS.values()
    lists = [[*animals[:2], *cars[:2]], [*animals[2:4], *cars[2:4]], [*animals[4:], *cars[4:]]]
    (tmp_path / "lexicon.txt").write_text(
        "".join(f"{' '.join(words[row:] + words[:row])}\n" for words in lists for row in range(4))
    )
    return tmp_path


def start() -> WordVectors:
    """The vectors before."""
    return WordVectors(*readers.read("mine.txt"))


def cosine(model, first: str, second: str) -> float:
    a, b = model.vector(first), model.vector(second)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("method", ["notebook", "edges", "retrofitting"])
def test_extrofitting_brings_neighbours_near(folder, method):
    model = trained(folder, "extrofitting", "--data", "mine.txt", "--lexicon", "lexicon.txt", "--method", method)
    assert model.words == [*WORDS, *OTHER_WORDS]
    assert cosine(model, "cat", "wheel") > cosine(start(), "cat", "wheel") + 0.03


def test_which_words_are_paired_counts(folder):
    pairs = {"straight.txt": "cat dog\nwheel road\nhorse cow\n", "crossed.txt": "cat road\nwheel cow\nhorse dog\n"}
    fitted = []
    for name, text in pairs.items():
        (folder / name).write_text(text)
        model = trained(folder, "extrofitting", "--data", "mine.txt", "--lexicon", name)
        fitted.append([model.vector(word) for word in WORDS])
        with pytest.raises(InputError, match=f"{name}: the notebook's classes are .* it would not matter"):
            train("extrofitting", "--data", "mine.txt", "--lexicon", name, "--method", "notebook")
    assert not np.allclose(*fitted)


def test_retrofitting_moves_both_words_of_a_pair(folder):
    before, lexicon = start(), ["--data", "mine.txt", "--lexicon", "pair.txt", "--method", "retrofitting"]
    (folder / "pair.txt").write_text("cat wheel\n")
    model = trained(folder, "extrofitting", *lexicon)
    unit = {word: before.vector(word) / np.linalg.norm(before.vector(word)) for word in ("cat", "wheel", "dog")}
    moved = {word: model.vector(word) @ unit[word] / np.linalg.norm(model.vector(word)) < 0.999 for word in unit}
    assert moved == {"cat": True, "wheel": True, "dog": False}


@pytest.mark.parametrize("method", ["attract_repel", "counter_fitting"])
def test_lexical_contrast_drives_antonyms_apart(folder, method):
    (folder / "syn.txt").write_text("cat wheel\ndog engine\n")
    (folder / "ant.txt").write_text("cat dog\ngoat sheep\n")
    pairs = ["--synonyms", "syn.txt", "--antonyms", "ant.txt", "--epochs", "200"]
    model = trained(folder, "lexical_contrast", "--data", "mine.txt", *pairs, "--method", method)
    before = start()
    assert cosine(model, "cat", "wheel") > cosine(before, "cat", "wheel")
    assert cosine(model, "goat", "sheep") < cosine(before, "goat", "sheep") - 0.01


def with_capitals(folder) -> WordVectors:
    """The vectors before, now of words with a capital, as German nouns have one."""
    words, matrix = readers.read("mine.txt")
    store.write_text([word.title() for word in words], matrix, folder / "mine.txt")
    return start()


@pytest.mark.parametrize("method", ["edges", "notebook", "retrofitting"])
def test_a_lexicon_moves_words_with_capitals(folder, method):
    before = with_capitals(folder)
    for lexicon in ("lexicon.txt", "capitals.txt"):
        (folder / "capitals.txt").write_text((folder / "lexicon.txt").read_text().title())
        model = trained(folder, "extrofitting", "--data", "mine.txt", "--lexicon", lexicon, "--method", method)
        assert cosine(model, "Cat", "Wheel") > cosine(before, "Cat", "Wheel") + 0.03


@pytest.mark.parametrize("method", ["attract_repel", "counter_fitting"])
def test_pairs_of_words_with_capitals_count(folder, method):
    before = with_capitals(folder)
    (folder / "syn.txt").write_text("Cat Wheel\nDog Engine\nCat Unicorn\n")
    (folder / "ant.txt").write_text("Cat Dog\nGoat Sheep\n")
    pairs = ["--synonyms", "syn.txt", "--antonyms", "ant.txt", "--epochs", "200"]
    printed = train("lexical_contrast", "--data", "mine.txt", *pairs, "--method", method)
    assert "2 of 3 pairs of synonyms, 2 of 2 pairs of antonyms" in printed
    model = WordVectors.read("model")
    assert cosine(model, "Goat", "Sheep") < cosine(before, "Goat", "Sheep") - 0.01


def test_words_with_capitals_are_rated(folder):
    with_capitals(folder)
    (folder / "ratings.tsv").write_text(
        "word\tconcreteness\n" + "".join(f"{word}\t{4.5 if word in TOPICS['animals'] else 1.5}\n" for word in WORDS[2:])
    )
    printed = train("concreteness", "--data", "ratings.tsv", "--vectors", "mine.txt")
    assert f"learned from {len(WORDS) - 2} rated words" in printed


def test_wordnet_embeddings_of_neighbour_lists(folder):
    lines = [" ".join(words[row:] + words[:row]) for words in TOPICS.values() for row in range(3)]
    (folder / "lists.txt").write_text("\n".join(lines) + "\n")
    model = trained(folder, "wordnet_embeddings", "--data", "lists.txt", "--dimensions", "5")
    assert model.dimensions == 5 and sorted(model.words) == sorted(WORDS)
    assert {neighbour.word for neighbour in model.most_similar("cat", 3)} < set(TOPICS["animals"])


@pytest.mark.parametrize("system", ["wordnet_embeddings", "extrofitting"])
def test_words_of_lists_that_differ_in_capitals_are_counted(folder, system):
    lists = (folder / "lexicon.txt").read_text()
    (folder / "lists.txt").write_text(lists.replace("cat", "Cat", 1).replace("dog", "DOG", 1))
    arguments = [system, "--data", "mine.txt", "--lexicon", "lists.txt"]
    arguments = arguments if system == "extrofitting" else [system, "--data", "lists.txt", "--dimensions", "3"]
    assert "merged: 2 words in several spellings, which differ in capitals alone" in notes_of(*arguments)


def test_concreteness_rates_a_word_that_nobody_rated(folder):
    rows = [f"{word},{rating}" for words, rating in zip(TOPICS.values(), (4.5, 1.5), strict=True) for word in words[1:]]
    (folder / "ratings.csv").write_text("\n".join(["word,concreteness", *rows]) + "\n")
    model = trained(folder, "concreteness", "--data", "ratings.csv", "--vectors", "mine.txt")
    high, low, unknown = model.rate(["cat", "wheel", "zzz"])
    assert high.ratings["concreteness"] > 3.5 and low.ratings["concreteness"] < 2.5 and not unknown.has_vector


def test_concreteness_counts_ratings_that_it_cannot_use(folder):
    rows = [f"{word},3" for words in TOPICS.values() for word in words]
    (folder / "ratings.csv").write_text("\n".join(["word,concreteness", *rows, "zzz,1", "New York,5"]) + "\n")
    notes = notes_of("concreteness", "--data", "ratings.csv", "--vectors", "mine.txt")
    assert "left out: 1 rated words without a vector" in notes and "left out: 1 rated expressions of several" in notes


@pytest.mark.parametrize("method", ["lsa", "word2vec"])
def test_corpus_specificity_of_a_small_text(folder, method):
    (folder / "text").mkdir()
    (folder / "text" / "a.txt").write_text("\n".join(topic_sentences(200)) + "\n")
    options = ["--method", method, "--block", "60", "--dimensions", "8"]
    options += ["--negative", "3", "--epochs", "20"] if method == "word2vec" else []
    model = trained(folder, "corpus_specificity", "--data", "text", *options)
    assert set(model.words) == {*WORDS, "near"}  # without stop words
    assert cosine(model, "cat", "goat") > cosine(model, "cat", "brake")


def test_fewer_dimensions_than_asked_for_are_said(folder):
    (folder / "text.txt").write_text("\n".join(topic_sentences(200)) + "\n")
    line = ["corpus_specificity", "--data", "text.txt"]
    notes = notes_of(*line, "--block", "200")
    said = "5 dimensions instead of 300: LSA has fewer than documents, of which there are 6; a --block below 200 makes"
    assert said in notes and WordVectors.read("model").dimensions == 5
    notes = notes_of(*line, "--block", "20", "--dimensions", "20")
    assert "12 dimensions instead of 20: LSA has fewer than words, of which there are 13\n" in notes
    assert notes_of(*line, "--block", "20", "--dimensions", "12") == ""


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["extrofitting", "--lexicon", "bad.txt"], "no words here\n", "bad.txt: no two words of the vectors"),
        (["extrofitting", "--lexicon", "bad.txt"], "zz xx\n", "bad.txt: no two words of the vectors"),
        (["extrofitting", "--lexicon", "bad.txt", "--method", "notebook"], "cat dog\ndog cat\n", "no class has two"),
        (["extrofitting", "--lexicon", "bad.txt"], None, "bad.txt: there is no such file"),
        (["lexical_contrast"], None, "expected --synonyms, --antonyms, or both, found neither"),
        (["lexical_contrast", "--synonyms", "bad.txt"], "one two three\n", "bad.txt, line 1: expected two words"),
        (["lexical_contrast", "--antonyms", "bad.txt"], "zz xx\n", "no pair of synonyms or antonyms has two words"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, arguments, text, message):
    if text:
        (folder / "bad.txt").write_text(text)
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=message):
        train(*arguments, "--data", "mine.txt")
    assert {path.name for path in folder.iterdir()} == before


def test_ratings_without_a_vector_are_a_mistake(folder):
    (folder / "ratings.csv").write_text("word,concreteness\nzzz,3\n")
    with pytest.raises(InputError, match=r"ratings.csv: expected rated words that have a vector, found none"):
        train("concreteness", "--data", "ratings.csv", "--vectors", "mine.txt")
    assert not (folder / "model").exists()
