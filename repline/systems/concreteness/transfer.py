"""Carry ratings into a second language, by aligned vectors and by a dictionary."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.errors import InputError
from repline.files import write_json
from repline.lexicons.bilingual_dictionary import read_dictionary, seed_pairs, transfer
from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut
from repline.systems.concreteness.rated_words import RatedWords, match_ratings
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.saved_ratings import describe_ratings
from repline.systems.concreteness.settings import Across, Settings
from repline.systems.concreteness.training import PREDICTIONS, folds_of, out_of_fold, train_networks
from repline.training.run import Run
from repline.vectors import alignment
from repline.vectors.alignment import Pairs, least_squares_map, orthogonal_map, refine, unsupervised_map
from repline.vectors.normalisation import unit_length

HELD_OUT = 1000  # pairs of the dictionary after the last seed pair, on which a map is tested
BY_ALIGNMENT, ALIGNMENTS = "by_alignment.parquet", "alignments.json"
Pair = tuple[str, str]


@dataclass(frozen=True)
class RatedLanguage:
    """The words of a language, and those of them that are rated.

    Attributes:
        words: V of them, most frequent first.
        vectors: [V, d].
        rated: the rated words, whose vectors have unit length.
        origin: the folder of the vectors, if any.
    """

    words: Sequence[str]
    vectors: NDArray
    rated: RatedWords
    origin: Path | None = None

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        vectors: NDArray,
        ratings: Path,
        origin: Path | None = None,
        **reading: Unpack[TableReading],
    ) -> "RatedLanguage":
        """A language whose ratings are in a file or folder; arguments and InputError as of `match_ratings`."""
        return cls(words, vectors, match_ratings(ratings, words, unit_length(vectors), **reading), origin)


def train_across(
    settings: Settings,
    source: RatedLanguage,
    target: RatedLanguage,
    dictionary: Path,
    concepts: Path,
    this_run: Run,
    left_out: LeftOut | None = None,
) -> None:
    """Predict the ratings of the second language by regressors that are fitted in the first one, and by a dictionary.

    Writes predictions.parquet (svr and ffn by the first map; dic, the dictionary; dic_backoff, with the mean where it
    has nothing; ceiling, support vectors inside the second language), by_alignment.parquet (support vectors by every
    map) and alignments.json.

    Args:
        source: the first language, whose vectors the maps lead to.
        target: the second one.
        dictionary, concepts: files of word pairs, see `repline.systems.concreteness.settings.Across`.
        left_out: an account of wrong lines, where the ratings are read already; its notes stand beside the maps.

    Raises:
        InputError: a dictionary that cannot be read, no target that both are rated for, or nothing to learn from.
    """
    across = settings.across
    left_out = left_out or LeftOut(across.on_error)
    reading = TableReading(on_error=left_out, encoding=across.encoding)
    pairs = read_dictionary(dictionary, **reading)
    meanings = read_dictionary(concepts, **reading) if across.disjoint else []
    tested = set(target.rated.words)
    translated = {source_word for source_word, word in meanings if word in tested}
    if translated.issuperset(source.rated.words):
        raise InputError(
            f"all {len(source.rated.words):,} rated words of the source mean the same as a test word, so that "
            "across.disjoint leaves none to learn from; set it to false, or rate more words of the source"
        )
    fitted = source.rated.without(translated).sample(across.most, 0)  # of the regressors
    looked_up = source.rated.sample(across.most, 0)  # of the dictionary
    common = [name for name in looked_up.ratings if name in target.rated.ratings]
    if not common:
        raise InputError("the ratings of the two languages have no target in common")
    maps, report = align(across, source, target, pairs)
    main_map = next(iter(maps))

    estimators = {
        name: support_vectors(fitted.x.shape[1], settings.svr).fit(*fitted.rated_for(name)) for name in common
    }
    networks = train_networks(
        settings.ffn.model_copy(update={"dropout": across.dropout}),
        fitted.x,
        [fitted.ratings[name] for name in common],
        [np.flatnonzero(~np.isnan(fitted.ratings[name])) for name in common],
        this_run,
    )
    test = replace(target.rated, ratings={name: target.rated.ratings[name] for name in common})
    fold = folds_of(len(test.words), settings.folds, this_run.seed)
    ceiling = out_of_fold(settings.svr, settings.ffn, ["svr"], test, fold, this_run)
    mapped = test.x @ maps[main_map]
    by_network = networks.predict(mapped)
    tables = []
    for number, name in enumerate(common):
        translations = _by_dictionary(looked_up, name, pairs, test.words)
        predictions = {
            "svr": estimators[name].predict(mapped),
            "ffn": by_network[:, number],
            "dic": translations,
            "dic_backoff": np.where(np.isnan(translations), np.nanmean(looked_up.ratings[name]), translations),
            "ceiling": ceiling[name]["svr"],
        }
        head = {"target": [name] * len(test.words), "word": test.words, "gold": test.ratings[name]}
        tables.append(pa.table(head | predictions))
    by_alignment = {name: estimators[common[0]].predict(test.x @ w) for name, w in maps.items()}
    head = {"word": test.words, "gold": test.ratings[common[0]]}
    this_run.folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.concat_tables(tables), this_run.folder / PREDICTIONS)
    pq.write_table(pa.table(head | by_alignment), this_run.folder / BY_ALIGNMENT)
    describe_ratings(
        this_run.folder,
        estimators,
        fitted,
        target.words,
        target.vectors,
        alignment=maps[main_map],
        origin=target.origin,
    )
    notes = {"notes": notes_of_files} if (notes_of_files := left_out.notes()) else {}
    write_json(this_run.folder / ALIGNMENTS, {"main": main_map, "target": common[0], "maps": report} | notes)


def align(
    across: Across, source: RatedLanguage, target: RatedLanguage, pairs: Sequence[Pair]
) -> tuple[dict[str, NDArray], dict[str, dict[str, float]]]:
    """Maps from the second language into the first, by name, and how well each finds held-out translations.

    No pair of a rated word of the second language is learned from.

    Args:
        pairs: (word of the first language, word of the second).

    Raises:
        InputError: no pair is among the words that are searched.
    """
    search, tested = across.search, target.rated.words
    a, b = (unit_length(np.asarray(side.vectors[:search], np.float64)) for side in (target, source))
    row_of = {word: row for row, word in enumerate(target.words[:search])}
    dictionary_rows = seed_pairs(pairs, source.words[:search], row_of, None, without=set(tested))
    seeds = dictionary_rows[:, ::-1]
    if not len(seeds):
        raise InputError("no pair of the dictionary is among the searched words; raise concreteness.across.search")
    learned = min(max(across.pairs), len(seeds) // 2)  # at least half of the pairs stays for the test
    same = alignment.identical_strings(target.words[:search], source.words[:search])
    same = same[~np.isin(same[:, 0], [row_of[word] for word in tested if word in row_of])]
    maps = alignments(a, b, seeds[:learned], same, pairs=across.pairs, frequent=across.frequent)
    test = seeds[learned : learned + HELD_OUT]
    report = {
        name: {"pairs": used, "precision_at_1": alignment.precision_at_1(unit_length(a @ w), b, test)}
        for name, (w, used) in maps.items()
    }
    return {name: w for name, (w, _) in maps.items()}, report


def alignments(
    a: NDArray, b: NDArray, seeds: Pairs, same: Pairs, *, pairs: Sequence[int], frequent: int
) -> dict[str, tuple[NDArray, int]]:
    """Maps of A onto B, by name, each with the number of pairs that it is made from.

    Supervised: `orthogonal_N` and `least_squares_N` from the first N seed pairs. Hardly supervised: `identical` from
    words spelled alike, `refined` by self-learning from the fewest seed pairs. `unsupervised`: from the spaces alone.

    Args:
        a: [V_a, d_a] of unit length, most frequent word first.
        b: [V_b, d_b] of unit length.
        seeds: [n, 2] rows of A and of B, best pairs first.
        same: [m, 2] pairs of words spelled alike; without them there is no `identical`.
        pairs: how many seed pairs; the first number makes the first map.
        frequent: words of each side that self-learning looks at.

    Source: Smith et al. 2017; Artetxe, Labaka & Agirre 2018 (see `repline.vectors.alignment`).
    """
    maps: dict[str, tuple[NDArray, int]] = {}
    for number in pairs:
        first_seeds = seeds[:number]
        sides = a[first_seeds[:, 0]], b[first_seeds[:, 1]]
        maps[f"orthogonal_{number}"] = orthogonal_map(*sides), len(first_seeds)
        maps[f"least_squares_{number}"] = least_squares_map(*sides), len(first_seeds)
    if len(same):
        maps["identical"] = orthogonal_map(a[same[:, 0]], b[same[:, 1]]), len(same)
    length = min(frequent, len(a), len(b))
    few = a[:length], b[:length]
    start = seeds[: min(pairs)]
    start = start[(start < length).all(axis=1)]
    if len(start):
        w, induced = refine(*few, start)
        maps["refined"] = w, len(induced)
    w, induced = unsupervised_map(*few)
    maps["unsupervised"] = w, len(induced)
    return maps


def _by_dictionary(rated: RatedWords, target: str, pairs: Sequence[Pair], words: Collection[str]) -> NDArray:
    """The ratings that the dictionary gives the words of the second language [n], NaN where it has none."""
    gold: Mapping[str, float] = dict(zip(rated.words, rated.ratings[target], strict=True))
    reached = transfer({word: value for word, value in gold.items() if not np.isnan(value)}, pairs)
    return np.array([reached.get(word, np.nan) for word in words])
