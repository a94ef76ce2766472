import numpy as np
import pytest

from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import SceneSentence, Triplet, Word, items_of
from repline.errors import InputError
from repline.systems.context_parser.model import ContextParser
from repline.systems.context_parser.relations import context_of, gold_relations
from repline.systems.context_parser.settings import Recipe, Weights
from repline.systems.context_parser.training import fitted

WEIGHTS = [Weights(1, 1), Weights(5, 5), Weights(5, 1)]


@pytest.fixture(scope="module")
def scenes():
    return list(make_scenes(seed=1, scenes=4))


@pytest.fixture(scope="module")
def parser(scenes):
    return fitted(Recipe(), [sentence for scene in scenes[:3] for sentence in scene.sentences])


def test_fillers_are_items_and_no_item_is_used_twice(parser, scenes):
    for sentence in scenes[3].gapped[:15]:
        for completion in parser.complete(sentence, WEIGHTS):
            assert completion.filler in items_of(sentence.triplets)
            assert completion.references[sentence.gaps[0]] == completion.filler
            used = [reference for reference in completion.references if reference]
            assert len(set(used)) == len(used)
            assert len(completion.heads) == len(sentence.words)
            assert completion.candidates % (10 * len(items_of(sentence.triplets))) == 0 or completion.candidates > 100


def test_the_context_finds_most_fillers(parser, scenes):
    gapped = scenes[3].gapped
    is_correct = [
        parser.complete(sentence, WEIGHTS[1:2])[0].filler in sentence.words[sentence.gaps[0]].references
        for sentence in gapped
    ]
    assert np.mean(is_correct) > 0.6


def test_bounds_do_not_change_completions(parser, scenes):
    for sentence in scenes[3].gapped[:6]:
        for pruned, unpruned in zip(
            parser.complete(sentence, WEIGHTS), parser.complete(sentence, WEIGHTS, prune=False), strict=True
        ):
            assert pruned[:-1] == unpruned[:-1]
            assert pruned.searched <= unpruned.searched == unpruned.candidates


def test_what_a_gap_gives_away_is_not_looked_at(parser, scenes):
    sentence = scenes[3].gapped[0]
    (gap,) = sentence.gaps
    words = list(sentence.words)
    words[gap] = Word("??", "lie", "XX", "YY", 1, "zz", ("nobody_1",))
    changed = SceneSentence(tuple(words), sentence.triplets, sentence.scene)
    assert parser.complete(changed, WEIGHTS) == parser.complete(sentence, WEIGHTS)


def test_completions_are_the_same_twice_and_after_saving(parser, scenes, tmp_path):
    parser.save(tmp_path / "parser")
    again = ContextParser.from_folder(tmp_path / "parser")
    for sentence in scenes[3].gapped[:5]:
        assert parser.complete(sentence, WEIGHTS) == parser.complete(sentence, WEIGHTS)
        assert again.complete(sentence, WEIGHTS) == parser.complete(sentence, WEIGHTS)


def test_scores_are_affine_in_lambda_and_without_it_references_do_not_matter(parser, scenes):
    sentence = scenes[3].sentences[0]
    at_zero, at_one, at_five = (parser.arc_scores(sentence, weight) for weight in (0.0, 1.0, 5.0))
    np.testing.assert_allclose(at_five - at_zero, 5 * (at_one - at_zero), atol=1e-12)
    assert np.abs(at_one - at_zero).max() > 0
    bare = SceneSentence(
        tuple(word._replace(references=()) for word in sentence.words), sentence.triplets, sentence.scene
    )
    np.testing.assert_array_equal(parser.arc_scores(bare, 0.0), at_zero)


def test_without_the_context_lambda_does_not_matter(scenes):
    uni = fitted(Recipe(), [sentence for scene in scenes[:2] for sentence in scene.sentences], context=False)
    first, second, third = uni.complete(scenes[3].gapped[0], WEIGHTS)
    assert first == second == third


def test_candidates_are_items_times_tags_times_what_other_words_may_mean():
    triplets = tuple(Triplet(f"mug_{number}", "Location", "table_1") for number in (1, 2, 3))
    words = (
        Word("The", "the", "DT", "DT", 2, "det"),
        Word("mug", "mug", "NN", "NN", 0, "ROOT", ("mug_1",)),
        Word("on", "on", "IN", "IN", 4, "case"),
        Word("??", "table", "NN", "NN", 2, "nmod", ("table_1",)),
    )
    sentence = SceneSentence(words, triplets, "kitchen")
    parser = fitted(Recipe(), [SceneSentence(tuple(w._replace(form=w.lemma) for w in words), triplets, "kitchen")])
    (completion,) = parser.complete(sentence, [Weights(1, 1)])
    # four fillers, three mugs for `mug`, ten tags; not the same mug twice
    assert completion.candidates == (4 * 3 - 3) * 10
    assert completion.filler == "table_1"


def test_words_without_a_reference_stand_for_all_that_they_may_mean():
    triplets = (Triplet("mug_1", "Location", "table_1"), Triplet("mug_2", "Location", "shelf_1"))
    words = (
        Word("mug", "mug", "NN", "NN", 2, "nsubj", ("mug_1",)),
        Word("lies", "lie", "VB", "VBZ", 0, "ROOT"),
        Word("on", "on", "IN", "IN", 4, "case"),
        Word("table", "table", "NN", "NN", 2, "nmod", ("table_1",)),
        Word("is", "be", "VB", "VBZ", 2, "aux"),
    )
    context = context_of(triplets, words)
    bits = gold_relations(words, context)
    assert bits[1, 2] == bits[2, 1] == 0b100  # inferred agent
    assert bits[2, 4] == 0b1000  # inferred theme
    assert bits[1, 4] == 1 << 5  # location
    assert not bits[5].any() and not bits[3].any() and not bits[0].any()
    assert context.fillers == 4 and len(context.items) == 4 + 6  # three verbs at two places
    assert [context.items[index] for index in context.named("LIE")] == ["lie_11", "lie_12"]


def test_mistakes_are_one_sentence(parser, scenes, tmp_path):
    complete = scenes[3].sentences[0]
    with pytest.raises(InputError, match=r"scene made-004: there is no gap"):
        parser.complete(complete, WEIGHTS)
    empty = SceneSentence(scenes[3].gapped[0].words, (), "kitchen")
    with pytest.raises(InputError, match="scene kitchen: no triplet, so nothing can fill the gap"):
        parser.complete(empty, WEIGHTS)
    with pytest.raises(InputError, match="holds no parser"):
        ContextParser.from_folder(tmp_path / "absent")
    parser.save(tmp_path / "parser")
    (tmp_path / "parser/model.safetensors").write_bytes(b"broken")
    with pytest.raises(InputError, match="this is no parser of the present code"):
        ContextParser.from_folder(tmp_path / "parser")
