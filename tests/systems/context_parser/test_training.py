import numpy as np
import pytest

from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import SceneSentence, Triplet, Word
from repline.errors import InputError
from repline.systems.context_parser.features import ALL, MAX_FEATURES, ROOT, arc_features
from repline.systems.context_parser.mira import mira_update
from repline.systems.context_parser.model import encode, vocabularies
from repline.systems.context_parser.settings import Recipe
from repline.systems.context_parser.spanning_tree import best_tree
from repline.systems.context_parser.sparse_weights import FREE, new_table
from repline.systems.context_parser.training import fitted


def features(encoded, heads):
    """How often each feature occurs in a tree."""
    out = np.empty(MAX_FEATURES, np.int64)
    counted = {}
    for m in range(1, encoded.shape[1]):
        for key in out[: arc_features(encoded, heads[m], m, 0, *ALL, out)].tolist():
            counted[key] = counted.get(key, 0) + 1
    return counted


def weights(keys, values):
    return {key: value for key, value in zip(keys.tolist(), values.tolist(), strict=True) if key != FREE}


@pytest.fixture
def sentence():
    encoded = np.array([[ROOT, 5, 6, 7], [ROOT, 8, 9, 10], [ROOT, 5, 6, 7], [ROOT, 8, 8, 7]])
    return encoded, np.zeros((4, 4), np.uint8), np.array([0, 2, 0, 2])


@pytest.mark.parametrize(("c", "tight"), [(1.0, True), (1e-4, False)])
def test_a_step_makes_the_hinge_tight_or_is_as_long_as_allowed(sentence, c, tight):
    encoded, related, gold = sentence
    # of no weights the cost decides: a tree that is wrong everywhere
    cost = np.ones((4, 4))
    cost[gold[1:], [1, 2, 3]] = 0
    heads, wrong = best_tree(cost)
    keys, values, _, used, updates, alpha = mira_update(*new_table(6), 0, 0, encoded, related, gold, c)
    learnt = weights(keys, values)
    gold_features, decoded = features(encoded, gold), features(encoded, heads)
    delta = {key: gold_features.get(key, 0) - decoded.get(key, 0) for key in gold_features | decoded}
    length = sum(count**2 for count in delta.values())
    assert updates == 1
    assert alpha == pytest.approx(wrong / length if tight else c)
    assert learnt == pytest.approx({key: alpha * count for key, count in delta.items() if count})
    assert used == len(learnt)
    margin = sum(learnt.get(key, 0) * count for key, count in delta.items())
    assert (margin == pytest.approx(wrong)) == tight


def test_the_step_of_the_sheet():
    cost, margin, length, c = 2, -1, 150, 0.01
    assert min(c, (cost - margin) / length) == 0.01


def test_a_right_tree_changes_nothing(sentence):
    encoded, related, gold = sentence
    *table, alpha = mira_update(*new_table(6), 0, 0, encoded, related, gold, 1.0)
    for _ in range(200):
        before = weights(table[0], table[1])
        *table, alpha = mira_update(*table, encoded, related, gold, 1.0)
        if alpha == 0.0:
            break
    assert alpha == 0.0
    assert weights(table[0], table[1]) == before


def test_a_gold_tree_with_a_cycle_never_gives_a_step_backwards(sentence):
    encoded, related, _ = sentence
    table = (*new_table(6), 0, 0)
    for _ in range(5):
        *table, alpha = mira_update(*table, encoded, related, np.array([0, 2, 1, 2]), 1.0)
        assert alpha >= 0


def test_the_mean_is_that_of_the_weights_after_each_update():
    sentences = [sentence for scene in make_scenes(seed=1, scenes=1) for sentence in scene.sentences][:6]
    words, tags = vocabularies(sentences)
    table = (*new_table(4), 0, 0)
    after = []
    for sentence in sentences:
        encoded = encode(sentence.words, words, tags)
        related = np.zeros((encoded.shape[1],) * 2, np.uint8)
        *table, alpha = mira_update(
            *table, encoded, related, np.array([0, *(word.head for word in sentence.words)]), 0.01
        )
        if alpha:
            after.append(weights(table[0], table[1]))
    mean = {key: sum(weights_then.get(key, 0.0) for weights_then in after) / len(after) for key in after[-1]}
    parser = fitted(Recipe(c=0.01), sentences, context=False)
    assert dict(zip(parser.keys.tolist(), parser.weights.tolist(), strict=True)) == pytest.approx(
        {key: value for key, value in mean.items() if abs(value) > 1e-15}
    )


def test_a_parser_learns_the_trees_it_saw():
    sentences = [sentence for scene in make_scenes(seed=1, scenes=2) for sentence in scene.sentences]
    parser = fitted(Recipe(epochs=4), sentences)
    is_correct = [parser.parse(sentence) == tuple(word.head for word in sentence.words) for sentence in sentences]
    assert np.mean(is_correct) > 0.9


def test_what_cannot_be_learned_is_one_sentence():
    with pytest.raises(InputError, match="there is no sentence to train the parser on"):
        fitted(Recipe(), [])
    gapped = SceneSentence((Word("??", "mug", "NN", "NN", 0, "ROOT", ("mug_1",)),), (), "kitchen")
    with pytest.raises(InputError, match="scene kitchen: a sentence to train on has a gap"):
        fitted(Recipe(), [gapped])
    long = SceneSentence((Word("a", "a", "DT", "DT", 0, "det"),) * 251, (Triplet("a_1", "Agent", "b_1"),), "kitchen")
    with pytest.raises(InputError, match="expected a sentence of at most 250 words, found 251"):
        fitted(Recipe(), [long])
    many = [SceneSentence((Word(str(number), "", "", str(number % 300), 0, ""),), (), "") for number in range(300)]
    with pytest.raises(InputError, match="expected at most 251 different tags, found 301"):
        fitted(Recipe(), many)
