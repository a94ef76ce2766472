"""Questions about English words, made from WordNet: synonyms in the manner of TOEFL, and outliers in that of 8-8-8.

The published questions may not be redistributed; these are made from data of installed packages.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import wordfreq

from repline.lexicons.synonym_questions import synonym_questions
from repline.lexicons.wordnet.synsets import WordNet
from repline.lexicons.wordnet.xml_format import read_xml
from repline.sources.packaged_files import packaged_file

PACKAGE, WORDNET = "nlptoolkit-wordnet", "WordNet/data/english_wordnet_version_31.xml"
CORPUS = 10**8  # words that the counts are of
ROOTS = ("animal", "plant", "artifact", "food", "chemical_element", "geological_formation")  # what can be pointed at
Group = tuple[list[str], list[str]]  # words that belong together, outliers


def write(folder: str | Path, *, questions: int = 200, groups: int = 40, size: int = 8, seed: int = 0) -> None:
    """Write `synonyms.tsv` and `outliers.txt`, as `repline.evaluation.word_vectors.benchmark_files` reads them.

    Args:
        folder: must be there.
        questions: about synonyms.
        groups, size: groups of this many words, with as many outliers each.
        seed: of what is drawn.

    Raises:
        InputError: a package is not installed.
    """
    folder = Path(folder)
    wordnet, counts = read_xml(packaged_file(PACKAGE, WORDNET)), _counts()
    synonym_rows = synonym_questions(wordnet, counts, number=questions, lowest=100, highest=9999, seed=seed)
    (folder / "synonyms.tsv").write_text(
        "".join("\t".join(question) + "\n" for question in synonym_rows), encoding="utf-8"
    )
    drawn_groups = outlier_groups(wordnet, counts, number=groups, size=size, seed=seed)
    blocks = ["\n".join(words) + "\n" for group in drawn_groups for words in group]
    (folder / "outliers.txt").write_text("\n".join(blocks), encoding="utf-8")


def outlier_groups(
    wordnet: WordNet,
    counts: Mapping[str, int],
    *,
    roots: Sequence[str] = ROOTS,
    number: int = 40,
    size: int = 8,
    lowest: int = 20,
    seed: int = 0,
) -> list[Group]:
    """Groups of nouns below one synset, each with outliers from the other groups.

    A group is the most frequent words below a synset that has at least `size` and at most three times as many, none of
    them in another group. Words are single, lower-case, of letters, in one synset only, and occur `lowest` times.

    Args:
        counts: occurrences of each word in some corpus.
        roots: lemmas; the groups are below the first noun of each.
        number: of groups, drawn from all that there are.
        size: words of a group, and outliers.

    Returns:
        At most `number` of (words, outliers), in the order of the wordnet.

    Source: Camacho-Collados & Navigli 2016 for the form of the questions.
    """
    senses = Counter(lemma.lower() for synset in wordnet for lemma in synset.lemmas)
    inside = [synset for root in roots for synset in wordnet.below(wordnet.synsets(root, "n")[0].id)]
    below: dict[str, set[str]] = defaultdict(set)  # synset: the words below it
    for synset in inside:
        single = [word for word in synset.lemmas if _plain(word) and senses[word] == 1]
        frequent = [word for word in single if counts.get(word, 0) >= lowest]
        if frequent:
            _add_upwards(wordnet, synset.id, frequent, below)
    candidates: list[tuple[str, list[str]]] = []  # a synset and its words
    taken: set[str] = set()
    for identifier in sorted(below, key=lambda identifier: (-len(below[identifier]), identifier)):
        members = sorted(below[identifier], key=lambda word: (-counts[word], word))
        if size <= len(members) <= 3 * size and not taken & below[identifier]:
            candidates.append((identifier, members[:size]))
            taken |= below[identifier]
    chance = random.Random(seed)
    position = {synset.id: number for number, synset in enumerate(wordnet)}
    drawn = sorted(
        chance.sample(candidates, min(number, len(candidates))), key=lambda candidate: position[candidate[0]]
    )
    groups = []
    for identifier, members in drawn:
        foreign_words = [
            word for other_identifier, other_words in drawn if other_identifier != identifier for word in other_words
        ]
        groups.append((members, chance.sample(foreign_words, min(size, len(foreign_words)))))
    return groups


def _add_upwards(wordnet: WordNet, start: str, words: list[str], below: dict[str, set[str]]) -> None:
    above, seen = [start], {start}
    while above:
        identifier = above.pop()
        below[identifier].update(words)
        for pointer in wordnet[identifier].pointers:
            if pointer.relation in ("hypernym", "instance_hypernym") and pointer.target not in seen:
                seen.add(pointer.target)
                above.append(pointer.target)


def _plain(word: str) -> bool:
    return word.isascii() and word.isalpha() and word.islower()


def _counts() -> Counter[str]:
    frequencies = wordfreq.get_frequency_dict("en", wordlist="large")
    return Counter({word: round(frequency * CORPUS) for word, frequency in frequencies.items()})
