from collections import Counter
from itertools import permutations, product

import pytest

from repline.corpora.scenes.inferred_relations import inferred_next_to
from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import GAP, RELATIONS, Triplet, check_heads, items_of, name_of
from repline.corpora.scenes.scene_templates import KINDS


@pytest.fixture(scope="module")
def scenes():
    return list(make_scenes(seed=5, scenes=6))


def facts(triplets):
    stated_and_inferred = {*triplets, *inferred_next_to(triplets)}
    return stated_and_inferred | {
        Triplet(triplet.predicate, "NextTo", triplet.argument)
        for triplet in stated_and_inferred
        if triplet.relation == "NextTo"
    }


def test_scenes_are_as_large_as_those_of_the_paper(scenes):
    assert all(28 <= len(scene.triplets) <= 45 for scene in scenes)
    assert all(28 <= len(items_of(scene.triplets)) <= 50 for scene in scenes)
    assert {triplet.relation for scene in scenes for triplet in scene.triplets} == set(RELATIONS)
    for scene in scenes:
        names = Counter(name_of(item) for item in items_of(scene.triplets))
        assert max(names.values()) > 1  # a name alone does not say which item is meant


def test_every_kind_of_sentence_is_there_with_a_tree(scenes):
    assert {sentence.kind for scene in scenes for sentence in scene.sentences} == set(KINDS)
    for scene in scenes:
        for sentence in scene.sentences:
            check_heads([word.head for word in sentence.words], sentence.text)
            assert sum(word.head == 0 for word in sentence.words) == 1
            assert all(word.dep for word in sentence.words)


def test_sentences_state_what_is_true_of_their_references(scenes):
    for scene in scenes:
        true = facts(scene.triplets)
        for sentence in scene.sentences:
            meant = {item for word in sentence.words for item in word.references}
            assert sentence.asserted
            assert set(sentence.asserted) <= true
            assert {item for stated in sentence.asserted for item in (stated.argument, stated.predicate)} <= meant


def test_a_complete_sentence_has_one_reading(scenes):
    scene = scenes[0]
    true = facts(scene.triplets)
    for sentence in scene.sentences:
        mentioned = [word.references[0] for word in sentence.words if word.references]
        choices = [
            [item for item in items_of(scene.triplets) if name_of(item) == name_of(reference)]
            for reference in mentioned
        ]
        readings = []
        for reading in product(*choices):
            stands = dict(zip(mentioned, reading, strict=True))
            stated = {Triplet(stands[a], relation, stands[p]) for a, relation, p in sentence.asserted}
            if len(set(reading)) == len(reading) and stated <= true:
                readings.append(reading)
        assert readings == [tuple(mentioned)]


def test_a_gap_lists_every_filler_that_is_right(scenes):
    scene = scenes[1]
    true = facts(scene.triplets)
    assert scene.gapped
    for sentence in scene.gapped[:12]:
        (gap,) = sentence.gaps
        references = sentence.words[gap].references
        assert sentence.words[gap].form == GAP and 1 <= len(references) <= 2
        mentioned = [word.references[0] for word in sentence.words if word.references]
        right_fillers = set()
        for filler in items_of(scene.triplets):
            choices = [
                [filler]
                if reference == references[0]
                else [item for item in items_of(scene.triplets) if name_of(item) == name_of(reference)]
                for reference in mentioned
            ]
            for reading in product(*choices):
                stands = dict(zip(mentioned, reading, strict=True))
                stated = {Triplet(stands[a], relation, stands[p]) for a, relation, p in sentence.asserted}
                if len(set(reading)) == len(reading) and stated <= true:
                    right_fillers.add(filler)
        assert set(references) == right_fillers


def test_the_seed_decides_and_more_scenes_change_nothing(scenes):
    again = list(make_scenes(seed=5, scenes=2))
    assert again == scenes[:2]
    other_scene = next(make_scenes(seed=6, scenes=1))
    assert other_scene.triplets != scenes[0].triplets


def test_kinds_may_be_chosen():
    (scene,) = make_scenes(seed=1, scenes=1, kinds=("T4", "T4", "T6"))
    assert Counter(first.kind for first in scene.sentences) == {"T4": 2, "T6": 1}
    for first, second in permutations(scene.sentences, 2):
        assert (first.kind, first.asserted) != (second.kind, second.asserted)
