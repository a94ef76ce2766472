"""Synthetic sentences with semantic roles: templates over invented nouns and verbs.

    clause      NP VERB NP (PREPOSITION NP)? (ADVERB)?      A0 V A1 (A2 or AM-*) AM-*
    sentence    clause (and clause)?
    NP          DETERMINER (ADJECTIVE)? NOUN

Each adverb has one role. A preposition has one, too, but each verb has a preposition of its own that marks its second
object, A2: which one is to be learned verb by verb, as in PropBank. A sentence of two clauses has two predicates, so it
makes two instances. Three in ten nouns never occur in train: dev and test draw from all of them.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TypedDict

from repline.errors import InputError
from repline.files import new_file

FILE = "made_roles.jsonl"
Span = tuple[str, int, int]  # a label, and the places of its first and its last word, from 0


class Clause(TypedDict):
    """The arguments of one predicate."""

    args: list[Span]


class Sentence(TypedDict):
    """Words with their tags, and the clauses in them."""

    words: list[str]
    tags: list[str]
    props: list[Clause]


DETERMINERS = ("the", "a", "this", "every", "some", "no")
ADJECTIVES = ("old", "small", "red", "new", "quiet", "famous", "heavy", "early", "strange", "green")
PREPOSITIONS = {
    "AM-LOC": ("inside", "near"),
    "AM-DIR": ("toward", "past"),
    "AM-MNR": ("with", "without"),
    "AM-TMP": ("during", "after"),
}
ADVERBS = {
    "AM-TMP": ("often", "later", "again", "today"),
    "AM-MNR": ("slowly", "quietly", "gladly", "badly"),
    "AM-ADV": ("perhaps", "indeed", "instead", "surely"),
}
ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "gl", "kr", "pl", "st")
VOWELS = ("a", "e", "i", "o", "u")
CODAS = ("", "n", "r", "l", "s", "k", "t")
UNSEEN = 0.3  # of the nouns, which train does not have
SHARES = {"preposition": 0.5, "adverb": 0.4, "adjective": 0.4, "second": 0.35}  # how often the optional parts are there
SECOND_OBJECTS = 0.4  # of the phrases with a preposition, at least: the others draw their preposition from all


def write(
    folder: str | Path,
    *,
    seed: int,
    train: int = 6000,
    dev: int = 500,
    test: int = 500,
    nouns: int = 2000,
    verbs: int = 60,
) -> None:
    """Write `made_roles.jsonl` into `folder`.

    Args:
        seed: of the draw.
        train, dev, test: instances, one a predicate; the last sentence of a split may bring one more.
        nouns, verbs: how many invented ones.

    Raises:
        InputError: no sentence in a split, or too few nouns for some that train does not have.
    """
    if min(train, dev, test, verbs) < 1 or nouns < 4:
        raise InputError(
            f"made roles need an instance in each split, a verb and four nouns, found {train}, {dev} and {test} "
            f"instances, {verbs} verbs and {nouns} nouns"
        )
    random = Random(seed)
    words = _invented(random, nouns + verbs)
    names = words[:nouns]
    prepositions = [preposition for role_prepositions in PREPOSITIONS.values() for preposition in role_prepositions]
    acts = {f"{word}ed": random.choice(prepositions) for word in words[nouns:]}
    pools = {"train": names[round(UNSEEN * nouns) :], "dev": names, "test": names}
    with new_file(Path(folder) / FILE) as partial, open(partial, "w", encoding="utf-8", newline="\n") as out:
        for split, size in (("train", train), ("dev", dev), ("test", test)):
            written = number = 0
            while written < size:
                number += 1
                sentence = _sentence(random, pools[split], acts)
                written += len(sentence["props"])
                line = {"id": f"made-{split}-{number:05d}", "split": split, **sentence}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _invented(random: Random, number: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < number:
        word = "".join(random.choice(ONSETS) + random.choice(VOWELS) for _ in range(2)) + random.choice(CODAS)
        words[word] = None
    return list(words)


def _sentence(random: Random, nouns: list[str], verbs: Mapping[str, str]) -> Sentence:
    words: list[str] = []
    tags: list[str] = []
    propositions = [_clause(random, nouns, verbs, words, tags)]
    if random.random() < SHARES["second"]:
        words.append("and")
        tags.append("CC")
        propositions.append(_clause(random, nouns, verbs, words, tags))
    return {"words": words, "tags": tags, "props": propositions}


def _clause(random: Random, nouns: list[str], verbs: Mapping[str, str], words: list[str], tags: list[str]) -> Clause:
    spans: list[Span] = []

    def phrase(label: str, *parts: tuple[str, str]) -> None:
        spans.append((label, len(words), len(words) + len(parts) - 1))
        words.extend(word for word, _ in parts)
        tags.extend(tag for _, tag in parts)

    phrase("A0", *_noun_phrase(random, nouns))
    verb = random.choice(list(verbs))
    phrase("V", (verb, "VBD"))
    phrase("A1", *_noun_phrase(random, nouns))
    if random.random() < SHARES["preposition"]:
        label = random.choice(list(PREPOSITIONS))
        preposition = verbs[verb] if random.random() < SECOND_OBJECTS else random.choice(PREPOSITIONS[label])
        phrase("A2" if preposition == verbs[verb] else label, (preposition, "IN"), *_noun_phrase(random, nouns))
    if random.random() < SHARES["adverb"]:
        label = random.choice(list(ADVERBS))
        phrase(label, (random.choice(ADVERBS[label]), "RB"))
    return {"args": spans}


def _noun_phrase(random: Random, nouns: list[str]) -> list[tuple[str, str]]:
    adjective = [(random.choice(ADJECTIVES), "JJ")] if random.random() < SHARES["adjective"] else []
    return [(random.choice(DETERMINERS), "DT"), *adjective, (random.choice(nouns), "NN")]
