"""Scenes drawn by a seed: furniture, things on it, people at work; sentences of all kinds, complete and with a gap.

A scene has several mugs and several tables, so that a name alone seldom tells which item is meant. Every complete
sentence has one reading: no other choice of items with the same names makes true what it states. A missing word has
two fillers at most, and all that are right are among its references.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated

from pydantic import Field

from repline.corpora.scenes.inferred_relations import inferred_next_to
from repline.corpora.scenes.scene import GAP, Scene, SceneSentence, Triplet, items_of, name_of
from repline.corpora.scenes.scene_files import write_scenes
from repline.corpora.scenes.scene_templates import PER_SCENE, Facts, write_sentence
from repline.corpora.scenes.sentence_draft import VERBS, Draft

FURNITURE = (
    *("table", "shelf", "couch", "counter", "chest", "bed"),
    *("vitrine", "stool", "drawer", "cabinet", "stand", "bench"),
)
OBJECTS = (
    *("mug", "book", "ball", "bottle", "candle", "bag", "hat", "pillow", "apple", "box", "clock", "plate", "lamp"),
    *("towel", "brush", "key", "vase", "toy", "basket", "pot", "frame", "phone", "laptop", "blanket", "glass"),
)
PARTS = {  # name of a part: what has one
    "handle": ("mug", "pot", "basket", "brush", "bag"),
    "lid": ("box", "pot", "bottle", "chest"),
    "leg": ("table", "stool", "bench", "bed", "couch"),
    "door": ("cabinet", "vitrine"),
    "cover": ("book", "pillow", "phone", "laptop"),
    "side": ("counter", "shelf", "drawer", "frame", "clock", "stand"),
}
PEOPLE = ("woman_1", "man_1", "woman_2", "man_2", "child_1")
COLOURS = ("red", "blue", "green", "yellow", "black", "white", "brown", "pink")
MOST_FILLERS = 2  # of one gap
ATTEMPTS = 60  # to find a sentence of one kind


def make_scenes(
    *, seed: Annotated[int, Field(ge=0)], scenes: Annotated[int, Field(ge=1)], kinds: Sequence[str] = PER_SCENE
) -> Iterator[Scene]:
    """Scenes `made-001`, `made-002`, ..., one after the other; the first ones are the same however many are made.

    Args:
        seed: of the draw.
        scenes: how many.
        kinds: of the sentences of each scene, a key of `scene_templates.KINDS` for each sentence. The default gives
            about twenty; where a scene has nothing to say in a kind, it has fewer.

    Returns:
        scenes with about 35 triplets; their sentences have trees, references and the triplets that they state.
    """
    for number in range(1, scenes + 1):
        random = Random(f"{seed}-{number}")
        name, facts = f"made-{number:03d}", _facts(random)
        triplets = facts.triplets()
        facts_and_inferred = [*triplets, *inferred_next_to(triplets)]
        true = set(facts_and_inferred)
        for triplet in facts_and_inferred:
            if triplet.relation == "NextTo":
                true.add(Triplet(triplet.predicate, "NextTo", triplet.argument))
        sentences: dict[tuple, SceneSentence] = {}
        gapped: list[SceneSentence] = []
        for kind in kinds:
            for _ in range(ATTEMPTS):
                draft = write_sentence(kind, facts, random)
                if draft is None or not _one_reading(draft, true, triplets):
                    continue
                sentence = SceneSentence(draft.finished(), triplets, name, kind, tuple(draft.asserted))
                statement = (kind, sentence.asserted)
                if statement not in sentences:
                    sentences[statement] = sentence
                    gapped += _gapped(sentence, draft, true)
                    break
        yield Scene(name, triplets, tuple(sentences.values()), tuple(gapped))


def write(folder: str | Path, *, seed: int, scenes: int) -> None:
    """Write synthetic scenes as files in the format of MD-TC; see `make_scenes` and `scene_files.write_scenes`."""
    write_scenes(folder, make_scenes(seed=seed, scenes=scenes))


def _facts(random: Random) -> Facts:
    furniture = _items(random, FURNITURE, names=5, largest=2)
    objects = _items(random, OBJECTS, names=7, largest=3)
    locations = random.sample(furniture, max(4, len(furniture) - 2))  # some furniture stays empty
    location = {item: random.choice(locations) for item in objects}
    whole_of: dict[str, str] = {}
    owners_there = [
        [item for item in items if any(name_of(item) in owners for owners in PARTS.values())]
        for items in (objects, furniture)
    ]
    for item in [item for items in owners_there for item in random.sample(items, min(2, len(items)))]:
        part = random.choice([part for part, owners in PARTS.items() if name_of(item) in owners])
        number = 1 + sum(name_of(known_part) == part for known_part in whole_of)
        whole_of[f"{part}_{number}"] = item
    verbs = random.sample(list(VERBS), 4)  # of five actions: some verb is there twice
    themes = [
        *random.sample(list(whole_of), min(2, len(whole_of))),
        *random.sample(objects, 2),
        random.choice(locations),
    ]
    people = random.sample(PEOPLE, len(PEOPLE))
    actions: list[tuple[str, str, str]] = []
    for person, theme in zip(people, dict.fromkeys(themes), strict=False):
        verb = random.choice(verbs)
        sense = 1 + sum(name_of(action) == verb for _, action, _ in actions)
        actions.append((person, f"{verb}_{sense}", theme))
    neighbours = [
        (item, later)
        for number, item in enumerate(objects)
        for later in objects[number + 1 :]
        if location[item] == location[later] and name_of(item) != name_of(later)
    ]
    next_to = random.sample(neighbours, min(2, len(neighbours)))
    first, second = random.sample(furniture, 2)
    coloured = random.sample([*objects, *furniture], 6)
    return Facts(
        location,
        tuple(actions),
        whole_of,
        (*next_to, (first, second)),
        {item: random.choice(COLOURS) for item in coloured},
    )


def _items(random: Random, vocabulary: Sequence[str], *, names: int, largest: int) -> list[str]:
    return [
        f"{name}_{number}"
        for name in random.sample(vocabulary, names)
        for number in range(1, 1 + random.randint(1, largest))
    ]


def _one_reading(draft: Draft, true: set[Triplet], triplets: Sequence[Triplet]) -> bool:
    """Whether items of the same names, each used once, can make the statements true in one way only."""
    mentioned = [word[5] for word in draft.words if word[5]]
    if len(set(mentioned)) < len(mentioned):
        return False
    items = items_of(triplets)
    choices = {item: _of_same_name(item, items) for item in mentioned}
    readings = _readings(choices, draft.asserted, true)
    next(readings)
    return next(readings, None) is None


def _gapped(sentence: SceneSentence, draft: Draft, true: set[Triplet]) -> list[SceneSentence]:
    """The sentence with each of its words that have a reference missing, where few fillers would make it true."""
    mentioned = [word[5] for word in draft.words if word[5]]
    items = items_of(sentence.triplets)
    gapped = []
    for position, word in enumerate(sentence.words):
        if not word.references:
            continue
        item = word.references[0]
        choices = {name: _of_same_name(name, items) for name in mentioned} | {item: items}
        fillers = dict.fromkeys([item, *(reading[item] for reading in _readings(choices, sentence.asserted, true))])
        if len(fillers) <= MOST_FILLERS:
            missing = word._replace(form=GAP, references=tuple(fillers))
            words = (*sentence.words[:position], missing, *sentence.words[position + 1 :])
            gapped.append(SceneSentence(words, sentence.triplets, sentence.scene, sentence.kind, sentence.asserted))
    return gapped


def _of_same_name(item: str, items: Sequence[str]) -> list[str]:
    return [candidate for candidate in items if name_of(candidate) == name_of(item)]


def _readings(
    choices: dict[str, list[str]], asserted: Sequence[Triplet], true: set[Triplet]
) -> Iterator[dict[str, str]]:
    """Every choice of items, none used twice, that makes all statements true: the item of `choices`, the one chosen."""
    mentioned = list(choices)

    def extend(reading: dict[str, str]) -> Iterator[dict[str, str]]:
        if len(reading) == len(mentioned):
            yield dict(reading)
            return
        item = mentioned[len(reading)]
        used = set(reading.values())
        for candidate in choices[item]:
            if candidate in used:
                continue
            reading[item] = candidate
            if all(
                Triplet(reading[fact.argument], fact.relation, reading[fact.predicate]) in true
                for fact in asserted
                if item in (fact.argument, fact.predicate) and fact.argument in reading and fact.predicate in reading
            ):
                yield from extend(reading)
            del reading[item]

    yield from extend({})
