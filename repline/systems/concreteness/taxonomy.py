"""How concrete a noun is by its place in a wordnet: a stand-in for ratings of people where none are at hand."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from repline.cards import read_card, write_card
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import WordNet
from repline.systems.concreteness.ratings import FILE, ratings_table
from repline.systems.concreteness.settings import Taxonomy

LOW, HIGH = 1.0, 5.0


def taxonomic_concreteness(
    wordnet: WordNet, words: Iterable[str], root: str = "physical_entity"
) -> dict[str, dict[str, float]]:
    """The share of a noun's senses that are physical, on a scale from 1 to 5, and how much its senses differ.

        c(w) = 1 + 4 m(w),   s(w) = 4 sqrt(m(w) (1 - m(w))),   m(w) = |physical senses of w| / |noun senses of w|

    The mean and the standard deviation over senses stand where ratings have those over people.

    Args:
        wordnet: senses and the hyponyms of `root`.
        words: candidates; only those are kept that have noun senses in this very spelling, and at least as many of
            them as of all other parts of speech.
        root: lemma of the synset under which everything is physical.

    Returns:
        word -> {"concreteness": 1..5, "concreteness_sd": 0..2}, in the order of `words`.

    Raises:
        InputError: no noun `root`, or no word is kept.
    """
    roots = wordnet.synsets(root, "n")
    if not roots:
        raise InputError(f"this wordnet has no noun {shown(root)}, under which physical things would be")
    physical = {synset.id for synset in wordnet.below(roots[0].id)}
    ratings = {}
    for word in words:
        senses = wordnet.synsets(word)
        nouns = [sense for sense in senses if sense.pos == "n" and word in sense.lemmas]
        if nouns and 2 * len(nouns) >= len(senses):
            share = float(np.mean([sense.id in physical for sense in nouns]))
            deviation = (HIGH - LOW) * (share * (1 - share)) ** 0.5
            ratings[word] = {"concreteness": LOW + (HIGH - LOW) * share, "concreteness_sd": deviation}
    if not ratings:
        raise InputError("none of the words is a noun of this wordnet; take words and a wordnet of one language")
    return ratings


def write_taxonomic_concreteness(folder: str | Path, taxonomy: Taxonomy, words: Iterable[str], data: Path) -> int:
    """Write `taxonomic_concreteness` of the words of letters alone, with a card, into `folder`; the number of nouns.

    Args:
        taxonomy: the wordnet, a folder of `data`.

    Raises:
        InputError: as of `taxonomic_concreteness`, or a wordnet that cannot be read.
    """
    wordnet = data / taxonomy.wordnet
    table = ratings_table(taxonomic_concreteness(storage.load(wordnet), filter(str.isalpha, words)))
    card = read_card(wordnet)
    with new_folder(folder) as partial:
        pq.write_table(table, partial / FILE, compression="zstd")
        write_card(
            partial,
            name="taxonomic_concreteness",
            description="The share of a noun's senses that are physical entities in WordNet, from 1 to 5; no ratings "
            "of people",
            licence=card["licence"],
            sources=[{"name": taxonomy.wordnet, "corpus": card}],
            parameters=taxonomy.model_dump(),
            counts={"words": table.num_rows},
        )
    return table.num_rows
