"""What vectors know of words, on vectors made to know it or not."""

import numpy as np
import pytest

from repline.systems.tpgn import unbinding_vectors
from repline.systems.tpgn.unbinding_vectors import CATEGORIES, CLASSES, NONE

RNG = np.random.default_rng(0)
TAGS = {"a": "DT", "dog": "NN", "runs": "VBZ", "on": "IN", "the": "DT", "brown": "JJ", "two": "CD", "it": "PRP"}


def _tagger(captions):
    return [(list(caption), [TAGS[word] for word in caption], [], []) for caption in captions]


def _words(vectors_of=None, pictures=40):
    """Captions `a dog runs on the grass`, with vectors that are one direction for each class, and noise."""
    captions = [["a", "dog", "runs", "on", "the", "dog"] for _ in range(pictures)]
    flat = [word for caption in captions for word in caption]
    directions = RNG.normal(size=(len(CLASSES), 12)) * 3
    vectors = (
        np.stack([directions[unbinding_vectors.class_of(TAGS[word])] for word in flat])
        + RNG.normal(size=(len(flat), 12)) / 9
    )
    vectors = vectors if vectors_of is None else vectors_of(len(flat))
    return unbinding_vectors.tagged_words(captions, vectors.astype(np.float32), _tagger)


def _weights(pictures=40, replicates=3):
    drawn = RNG.multinomial(pictures, np.ones(pictures) / pictures, size=replicates)
    return np.concatenate([np.ones((1, pictures), np.int64), drawn])


def test_words_with_tags_positions_and_categories():
    captions = [["a", "brown", "dog"], [], ["two", "dog"], ["it", "runs"]]
    words = unbinding_vectors.tagged_words(captions, np.zeros((7, 2), np.float32), _tagger)
    assert words.picture.tolist() == [0, 0, 0, 2, 2, 3, 3] and words.position.tolist() == [1, 2, 3, 1, 2, 1, 2]
    classes = [CLASSES[number] for number in words.part_of_speech]
    assert classes == ["determiner", "adjective", "noun", "other", "noun", "pronoun", "verb"]
    categories = [None if number == NONE else CATEGORIES[number] for number in words.category]
    assert categories == ["indefinite_articles", "adjectives", "nouns", None, "nouns", "pronouns", "verbs"]
    assert unbinding_vectors.category_of("some", "DT") == NONE
    assert CATEGORIES[unbinding_vectors.category_of("to", "TO")] == "prepositions_conjunctions"


def test_a_readout_of_what_is_there_and_of_noise():
    weights = _weights()
    accuracies = unbinding_vectors.linear_readout(_words(), weights)
    assert accuracies["linear"].tolist() == [1.0] * 4
    assert accuracies["majority"] == pytest.approx([1 / 3] * 4)
    noise = unbinding_vectors.linear_readout(_words(lambda size: RNG.normal(size=(size, 12))), weights)["linear"]
    assert noise.max() < 0.6


def test_purity_and_conformity():
    words, weights = _words(), _weights()
    assert unbinding_vectors.purity(words, words.part_of_speech, weights) == pytest.approx([1] * 4)
    assert unbinding_vectors.purity(words, np.zeros(len(words.picture), int), weights) == pytest.approx([1 / 3] * 4)
    nominal = np.isin(words.part_of_speech, [CLASSES.index(name) for name in ("noun", "determiner")]).astype(int)
    for cluster in (nominal, 1 - nominal):  # which of the two is which does not matter
        shares = unbinding_vectors.conformity(words, cluster, weights)
        assert shares["all"].tolist() == shares["nouns"].tolist() == [1.0] * 4
        assert np.isnan(shares["indefinite_articles"]).all()  # they are the first words, which are left out
    wrong = np.where(words.position == 2, 1 - nominal, nominal)
    assert unbinding_vectors.conformity(words, wrong, weights)["nouns"] == pytest.approx([0.5] * 4)
    assert unbinding_vectors.conformity(words, wrong, weights)["all"] == pytest.approx([0.8] * 4)


def test_clusters_of_positions():
    words, weights = _words(), _weights()
    cluster = np.minimum(words.position, 4) - 1
    shares = unbinding_vectors.position_clusters(words, cluster, weights)
    assert {name: values.tolist() for name, values in shares.items()} == {"first": [1.0] * 4, "second": [1.0] * 4}
    shares = unbinding_vectors.position_clusters(words, np.where(words.position < 3, 0, 1), weights)
    assert shares["first"] == pytest.approx([0.5] * 4)
    table = unbinding_vectors.cluster_table(words, cluster)
    assert table[1][CLASSES.index("noun")] == 1 and table[1][-2:] == [0.0, 1.0]


def test_without_words_nothing_is_measured():
    words = unbinding_vectors.tagged_words([[], []], np.zeros((0, 3), np.float32), _tagger)
    weights = np.ones((2, 2))
    assert np.isnan(unbinding_vectors.linear_readout(words, weights)["linear"]).all()
    cluster = unbinding_vectors.clusters(np.zeros((0, 3)), words.vectors, 10)
    assert unbinding_vectors.purity(words, cluster, weights).tolist() == [0, 0]
    assert np.isnan(unbinding_vectors.conformity(words, cluster, weights)["all"]).all()


def test_k_means_finds_classes():
    words = _words()
    cluster = unbinding_vectors.clusters(words.vectors, words.vectors, 4)
    assert unbinding_vectors.purity(words, cluster, _weights()) == pytest.approx([1] * 4)
