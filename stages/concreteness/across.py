"""Carry ratings into a second language, by aligned vectors and by a dictionary.

data/<ratings of the source>, vectors of both, dictionary -> data/models/concreteness/across/: predictions.parquet,
by_alignment.parquet, alignments.json.
"""

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.lexicons.bilingual_dictionary import read_dictionary, seed_pairs, transfer
from repline.parameters import load
from repline.systems.concreteness.alignment_variants import alignments
from repline.systems.concreteness.folds import folds_of, out_of_fold
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.settings import Across, Settings
from repline.systems.concreteness.training import train_networks
from repline.vectors import alignment
from repline.vectors.normalisation import unit_length
from stages import run, threads
from stages.concreteness import rated_words, regressor_knobs

HELD_OUT = 1000  # pairs of the dictionary after the last seed pair, on which a map is tested


def main() -> None:
    settings = load(Settings, "concreteness")
    svr, ffn = regressor_knobs.svr(settings), regressor_knobs.ffn(settings)
    across = settings.across
    words, matrix = rated_words.vectors(settings.vectors)
    others, other_matrix = rated_words.vectors(across.vectors)
    every = rated_words.rated(across.source, words, unit_length(matrix))
    source = every.chosen(across.most, 0)  # of the dictionary
    target = rated_words.rated(across.ratings, others, unit_length(other_matrix))
    fitted = every.without(_translated(across, set(target.words))).chosen(across.most, 0)  # of the regressors
    common = [name for name in source.ratings if name in target.ratings]
    if not common:
        raise InputError("the ratings of the two languages have no target in common")
    pairs = read_dictionary(rated_words.DATA / across.dictionary)
    maps, report = align(words, matrix, others, other_matrix, pairs, across, target.words)

    estimators = {name: support_vectors(fitted.x.shape[1], **svr).fit(*_rated(fitted, name)) for name in common}
    networks = train_networks(
        fitted.x,
        [fitted.ratings[name] for name in common],
        [np.flatnonzero(~np.isnan(fitted.ratings[name])) for name in common],
        rated_words.SCRATCH,
        threads=threads(),
        name="concreteness-across",
        **ffn | {"dropout": across.dropout},
    )
    ceiling = out_of_fold(
        target.x, target.rows, {name: target.ratings[name] for name in common},
        folds_of(len(target.words), settings.folds, 0), ("svr",), rated_words.SCRATCH, svr=svr, ffn={},
    )  # fmt: skip
    main_map = next(iter(maps))
    mapped = target.x @ maps[main_map]
    by_network = networks.predict(mapped)
    tables = []
    for place, name in enumerate(common):
        gold = dict(zip(source.words, source.ratings[name], strict=True))
        reached = transfer({word: value for word, value in gold.items() if not np.isnan(value)}, pairs)
        dictionary = np.array([reached.get(word, np.nan) for word in target.words])
        predictions = {
            "svr": estimators[name].predict(mapped),
            "ffn": by_network[:, place],
            "dic": dictionary,
            "dic_backoff": np.where(np.isnan(dictionary), np.nanmean(source.ratings[name]), dictionary),
            "ceiling": ceiling[name]["svr"],
        }
        n = len(target.words)
        tables += [pa.table({"target": [name] * n, "word": target.words, "gold": target.ratings[name]} | predictions)]
    by_alignment = {name: estimators[common[0]].predict(target.x @ w) for name, w in maps.items()}
    with new_folder(rated_words.MODELS / "across") as folder:
        pq.write_table(pa.concat_tables(tables), folder / "predictions.parquet")
        gold = {"word": target.words, "gold": target.ratings[common[0]]}
        pq.write_table(pa.table(gold | by_alignment), folder / "by_alignment.parquet")
        write_json(folder / "alignments.json", {"main": main_map, "target": common[0], "maps": report})


def align(
    words: list[str],
    matrix: NDArray,
    others: list[str],
    other_matrix: NDArray,
    pairs: list[tuple[str, str]],
    across: Across,
    tested: Collection[str] = (),
) -> tuple[dict[str, NDArray], dict[str, dict[str, float]]]:
    """Maps from the second language into the first, by name, and how well each finds held-out translations.

    No pair of a word in `tested`, words of the second language, is learned from.
    """
    search = across.search
    a, b = (unit_length(np.asarray(side[:search], np.float64)) for side in (other_matrix, matrix))
    row_of = {word: row for row, word in enumerate(others[:search])}
    seeds = seed_pairs(pairs, words[:search], row_of, None, without=tested)[
        :, ::-1
    ]  # rows of the second language, of the first
    if not len(seeds):
        raise InputError("no pair of the dictionary is among the searched words; raise concreteness.across.search")
    learned = min(max(across.pairs), len(seeds) // 2)  # at least half of the pairs stays for the test
    same = alignment.identical_strings(others[:search], words[:search])
    same = same[~np.isin(same[:, 0], [row_of[word] for word in tested if word in row_of])]
    maps = alignments(a, b, seeds[:learned], same, pairs=across.pairs, frequent=across.frequent)
    test = seeds[learned : learned + HELD_OUT]
    report = {}
    for name, (w, used) in maps.items():
        precision = alignment.precision_at_1(unit_length(a @ w), b, test)
        report[name] = {"pairs": used, "precision_at_1": precision}
        print(f"{name}: {used} pairs, {precision:.1%} of {len(test)} translations found", flush=True)
    return {name: w for name, (w, _) in maps.items()}, report


def _translated(across: Across, tested: Collection[str]) -> set[str]:
    """The source words that the regressors are not fitted on: those that mean the same as a test word."""
    pairs = read_dictionary(rated_words.DATA / across.concepts) if across.disjoint else []
    return {source for source, word in pairs if word in tested}


def _rated(words: rated_words.Rated, target: str) -> tuple[NDArray, NDArray]:
    there = ~np.isnan(words.ratings[target])
    return words.x[there], words.ratings[target][there]


if __name__ == "__main__":
    run(main)
