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
    known = {*triplets, *inferred_next_to(triplets)}
    return known | {Triplet(one.predicate, "NextTo", one.argument) for one in known if one.relation == "NextTo"}


def test_scenes_are_as_large_as_those_of_the_paper(scenes):
    assert all(28 <= len(scene.triplets) <= 45 for scene in scenes)
    assert all(28 <= len(items_of(scene.triplets)) <= 50 for scene in scenes)
    assert {one.relation for scene in scenes for one in scene.triplets} == set(RELATIONS)
    for scene in scenes:
        names = Counter(name_of(item) for item in items_of(scene.triplets))
        assert max(names.values()) > 1  # a name alone does not say which item is meant


def test_every_kind_of_sentence_is_there_with_a_tree(scenes):
    assert {one.kind for scene in scenes for one in scene.sentences} == set(KINDS)
    for scene in scenes:
        for one in scene.sentences:
            check_heads([word.head for word in one.words], one.text)
            assert sum(word.head == 0 for word in one.words) == 1
            assert all(word.dep for word in one.words)


def test_sentences_state_what_is_true_of_their_references(scenes):
    for scene in scenes:
        true = facts(scene.triplets)
        for one in scene.sentences:
            meant = {item for word in one.words for item in word.references}
            assert one.asserted
            assert set(one.asserted) <= true
            assert {item for stated in one.asserted for item in (stated.argument, stated.predicate)} <= meant


def test_a_complete_sentence_has_one_reading(scenes):
    scene = scenes[0]
    true = facts(scene.triplets)
    for one in scene.sentences:
        given = [word.references[0] for word in one.words if word.references]
        choices = [
            [item for item in items_of(scene.triplets) if name_of(item) == name_of(reference)] for reference in given
        ]
        readings = []
        for chosen in product(*choices):
            stands = dict(zip(given, chosen, strict=True))
            stated = {Triplet(stands[a], relation, stands[p]) for a, relation, p in one.asserted}
            if len(set(chosen)) == len(chosen) and stated <= true:
                readings.append(chosen)
        assert readings == [tuple(given)]


def test_a_gap_lists_every_filler_that_is_right(scenes):
    scene = scenes[1]
    true = facts(scene.triplets)
    assert scene.gapped
    for one in scene.gapped[:12]:
        (gap,) = one.gaps
        references = one.words[gap].references
        assert one.words[gap].form == GAP and 1 <= len(references) <= 2
        given = [word.references[0] for word in one.words if word.references]
        right = set()
        for filler in items_of(scene.triplets):
            choices = [
                [filler]
                if reference == references[0]
                else [item for item in items_of(scene.triplets) if name_of(item) == name_of(reference)]
                for reference in given
            ]
            for chosen in product(*choices):
                stands = dict(zip(given, chosen, strict=True))
                stated = {Triplet(stands[a], relation, stands[p]) for a, relation, p in one.asserted}
                if len(set(chosen)) == len(chosen) and stated <= true:
                    right.add(filler)
        assert set(references) == right


def test_the_seed_decides_and_more_scenes_change_nothing(scenes):
    again = list(make_scenes(seed=5, scenes=2))
    assert again == scenes[:2]
    other = next(make_scenes(seed=6, scenes=1))
    assert other.triplets != scenes[0].triplets


def test_kinds_may_be_chosen():
    (scene,) = make_scenes(seed=1, scenes=1, kinds=("T4", "T4", "T6"))
    assert Counter(one.kind for one in scene.sentences) == {"T4": 2, "T6": 1}
    for one, other in permutations(scene.sentences, 2):
        assert (one.kind, one.asserted) != (other.kind, other.asserted)
