"""Sentences about a scene in the templates of MD-TC, with gold trees and references.

    T1 It is a mug on a vitrine that the woman damages.      A active, B passive; the relative clause is ambiguous
    T2 The woman cleans the vitrine with a mug on it.        A active, B passive
    T3 The man holds the lid of the pot that lies on the stove.  A active, B passive
    T4 There are a mug and a candle that lie on the vitrine.
    T5 Bring me the mug next to the candle that lies on the vitrine.
    T6 Bring me the blue mug that lies on the black vitrine.

Source: Rekaby Salama et al. (2018), Table 1, and the sentences of MD-TC, whose trees these follow.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from repline.corpora.scenes.scene import Triplet
from repline.corpora.scenes.sentence_draft import PLACED, Draft

ADVERBS = ("carefully", "slowly", "quickly", "quietly", "lightly")


@dataclass(frozen=True)
class Facts:
    """What is true in a scene, by relation.

    Attributes:
        location: where an item is.
        actions: who does what to what.
        parts: the item that a part belongs to.
        next_to: pairs that stand next to each other.
        colour: of an item.
    """

    location: dict[str, str]
    actions: tuple[tuple[str, str, str], ...]  # person, verb, theme
    parts: dict[str, str]
    next_to: tuple[tuple[str, str], ...]
    colour: dict[str, str]

    def triplets(self) -> tuple[Triplet, ...]:
        """The facts in the order of MD-TC's files."""
        return (
            *(Triplet(person, "Agent", verb) for person, verb, _ in self.actions),
            *(Triplet(theme, "Theme", verb) for _, verb, theme in self.actions),
            *(Triplet(item, "Location", location) for item, location in self.location.items()),
            *(Triplet(item, "NextTo", neighbour) for item, neighbour in self.next_to),
            *(Triplet(whole, "Own", part) for part, whole in self.parts.items()),
            *(Triplet(item, "Property", colour) for item, colour in self.colour.items()),
        )


def write_sentence(kind: str, facts: Facts, random: Random) -> Draft | None:
    """A sentence of a kind of KINDS about a scene; None where this draw found nothing to say."""
    return KINDS[kind](facts, random)


def _cleft(passive: bool) -> Callable[[Facts, Random], Draft | None]:
    def write(facts: Facts, random: Random) -> Draft | None:
        action = random.choice(facts.actions)
        pairs = [(item, location) for item, location in facts.location.items() if action[2] in (item, location)]
        if not pairs:
            return None
        item, location = random.choice(pairs)
        draft, determiner = Draft(), random.choice(("a", "the"))
        it, is_ = draft.add("It", "it", "PRP", "nsubj"), draft.add("is", "be", "VBZ", "cop")
        noun = draft.attach(draft.noun(determiner, item), 0, "ROOT")
        draft.attach(it, noun, "nsubj")
        draft.attach(is_, noun, "cop")
        where = draft.located(noun, item, location, determiner=determiner)
        adverb = random.choice(("", *ADVERBS)) if not passive else ""
        draft.done(noun if action[2] == item else where, action, passive, adverb)
        return draft

    return write


def _theme(
    passive: bool, describe: Callable[[Draft, int, tuple[str, str, str], Facts, Random], bool]
) -> Callable[[Facts, Random], Draft | None]:
    """`The woman cleans THEME` or `THEME is cleaned by the woman`; `describe` adds what else is said of the theme."""

    def write(facts: Facts, random: Random) -> Draft | None:
        action, draft = random.choice(facts.actions), Draft()
        if passive:
            theme = draft.noun("The", action[2])
            if not describe(draft, theme, action, facts, random):
                return None
            draft.attach(theme, draft.passive(action), "nsubjpass")
        else:
            person = draft.noun("The", action[0])
            verb = draft.act(action)
            draft.attach(person, verb, "nsubj")
            theme = draft.attach(draft.noun("the", action[2]), verb, "dobj")
            if not describe(draft, theme, action, facts, random):
                return None
        return draft

    return write


def _carrying(draft: Draft, theme: int, action: tuple[str, str, str], facts: Facts, random: Random) -> bool:
    item = action[2]
    on_it = [supported for supported, location in facts.location.items() if location == item]
    neighbours = [neighbour for pair in facts.next_to if item in pair for neighbour in pair if neighbour != item]
    if on_it and random.random() < 0.7:
        draft.with_on_it(theme, random.choice(on_it), item)
    elif neighbours and random.random() < 0.5:
        draft.next_to(theme, item, random.choice(neighbours))
    elif item in facts.location:
        location = facts.location[item]
        noun = draft.located(theme, item, location)
        also_there = [
            supported for supported, where in facts.location.items() if where == location and supported != item
        ]
        if also_there and random.random() < 0.4:
            draft.with_on_it(noun, random.choice(also_there), location)
    else:
        return False
    return True


def _part(draft: Draft, theme: int, action: tuple[str, str, str], facts: Facts, random: Random) -> bool:
    part = action[2]
    if part not in facts.parts:
        return False
    whole = facts.parts[part]
    case = draft.add("of", "of", "IN", "case")
    noun = draft.attach(draft.noun("the", whole), theme, "nmod")
    draft.words[case - 1][3] = noun
    draft.asserted.append(Triplet(whole, "Own", part))
    actions_on_whole = [action_on_whole for action_on_whole in facts.actions if action_on_whole[2] == whole]
    if actions_on_whole and random.random() < 0.6:
        draft.done(noun, random.choice(actions_on_whole), random.random() < 0.5)
    elif whole in facts.location:
        draft.located(draft.verb(random.choice(("lie", "stand")), 0, noun), whole, facts.location[whole])
    else:
        return bool(actions_on_whole)
    return True


def _there(facts: Facts, random: Random) -> Draft | None:
    location = random.choice(list(facts.location.values()))
    items_there = [item for item, second_noun in facts.location.items() if second_noun == location]
    if len(items_there) < 2:
        return None
    first, second = random.sample(items_there, 2)
    draft = Draft()
    there, are = draft.add("There", "there", "EX", "expl"), draft.add("are", "be", "VBP", "ROOT")
    draft.attach(there, are, "expl")
    first_noun = draft.attach(draft.noun("a", first), are, "nsubj")
    draft.add("and", "and", "CC", "cc", first_noun)
    second_noun = draft.attach(draft.noun("a", second), first_noun, "conj")
    draft.asserted.append(Triplet(first, "Location", location))
    if random.random() < 0.3:
        draft.located(second_noun, second, location)
    else:
        verb = draft.verb(random.choice(("lie", "stand")), random.random() < 0.4, second_noun, plural=True)
        draft.located(verb, second, location)
    return draft


def _request(colours: bool) -> Callable[[Facts, Random], Draft | None]:
    """`Bring me the blue mug that lies on the black vitrine` or, without colours, `... the mug ... on the vitrine`."""

    def write(facts: Facts, random: Random) -> Draft | None:
        coloured = [item for item in facts.location if item in facts.colour]
        if colours and not coloured:
            return None
        item = random.choice(coloured if colours else list(facts.location))
        location, draft = facts.location[item], Draft()
        verb_of_request = draft.request(random)
        noun = draft.attach(draft.noun("the", item, facts.colour[item] if colours else ""), verb_of_request, "dobj")
        neighbours = [near_item for pair in facts.next_to if item in pair for near_item in pair if near_item != item]
        moved = [fact for fact in facts.actions if fact[2] in (item, location)]
        way = random.random()
        if way < 0.3 and neighbours:
            near_item = random.choice(neighbours)
            neighbour = draft.next_to(noun, item, near_item)
            if near_item in facts.location:
                verb = draft.verb(random.choice(tuple(PLACED)), random.random() < 0.3, neighbour)
                draft.located(verb, near_item, facts.location[near_item])
        elif way < 0.5 and neighbours:
            verb = draft.verb(random.choice(("lie", "stand")), random.random() < 0.4, noun)
            draft.next_to(verb, item, random.choice(neighbours), to_verb=True)
        elif colours and way < 0.75 and moved:
            action = random.choice(moved)
            where = draft.located(noun, item, location)
            draft.done(noun if action[2] == item else where, action, random.random() < 0.5)
        else:
            verb = draft.verb(random.choice(tuple(PLACED)), random.random() < 0.4, noun)
            draft.located(verb, item, location, colour=facts.colour.get(location, "") if colours else "")
        return draft

    return write


KINDS: dict[str, Callable[[Facts, Random], Draft | None]] = {
    "T1A": _cleft(False),
    "T1B": _cleft(True),
    "T2A": _theme(False, _carrying),
    "T2B": _theme(True, _carrying),
    "T3A": _theme(False, _part),
    "T3B": _theme(True, _part),
    "T4": _there,
    "T5": _request(False),
    "T6": _request(True),
}
PER_SCENE: Sequence[str] = tuple(  # how often MD-TC has each kind in a scene, rounded
    kind for kind, times in zip(KINDS, (2, 2, 3, 2, 2, 1, 3, 3, 3), strict=True) for _ in range(times)
)
