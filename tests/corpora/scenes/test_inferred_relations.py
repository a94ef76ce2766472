from repline.corpora.scenes.inferred_relations import inferred_location_verbs, inferred_next_to
from repline.corpora.scenes.scene import Triplet

SHARED = [Triplet("mug_1", "Location", "vitrine_1"), Triplet("carafe_1", "Location", "vitrine_1")]


def test_what_is_at_one_place_is_next_to_each_other():
    assert inferred_next_to(SHARED) == [Triplet("mug_1", "NextTo", "carafe_1")]
    triplets_known = [*SHARED, Triplet("carafe_1", "NextTo", "mug_1")]
    assert inferred_next_to(triplets_known) == []
    apart = [SHARED[0], Triplet("carafe_1", "Location", "table_1")]
    assert inferred_next_to(apart) == []


def test_the_paper_asks_that_a_sentence_may_speak_of_all_three():
    assert inferred_next_to(SHARED, mentioned={"mug_1", "carafe_1", "vitrine_1"})
    assert inferred_next_to(SHARED, mentioned={"mug_1", "carafe_1"}) == []
    assert inferred_next_to(SHARED, mentioned={"mug_1", "vitrine_1"}) == []


def test_a_verb_of_place_gives_nine_relations():
    inferred = inferred_location_verbs(SHARED, {"it", "lie"})
    assert len(inferred) == 9
    assert Triplet("mug_1", "Agent", "hang_11") in inferred
    assert Triplet("carafe_1", "Agent", "lie_11") in inferred
    assert Triplet("vitrine_1", "Theme", "stand_11") in inferred
    assert inferred_location_verbs(SHARED, {"it", "clean"}) == []


def test_every_place_has_its_sense():
    two = [*SHARED, Triplet("book_1", "Location", "shelf_1")]
    senses = {triplet.predicate for triplet in inferred_location_verbs(two, {"stand"}) if triplet.relation == "Theme"}
    assert senses == {f"{verb}_{sense}" for verb in ("lie", "stand", "hang") for sense in (11, 12)}
