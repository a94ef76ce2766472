"""Every word of the lists translated by every method, and how much each picture set varies."""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.corpora.pictures.picture_features import PictureSets
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.systems.image_lexicon.image_words import Entry, WordList, as_table, of_table
from repline.systems.image_lexicon.model import ALIKE, Sets, aggregated, dispersion, match
from repline.systems.image_lexicon.namesake_pictures import mutual_twins
from repline.systems.image_lexicon.nearest_votes import nearest_scores
from repline.systems.image_lexicon.picture_folder import describe_pictures
from repline.systems.image_lexicon.sense_clusters import clustered_scores
from repline.systems.image_lexicon.settings import Methods

RANKED = ("avgmax", "maxmax", "cnn_mean", "cnn_max")  # methods that rank all words
SINGLE = ("knn", "knn_c")  # methods whose first answer alone counts
METHODS = (*RANKED, *SINGLE)
TRANSLATIONS = pa.schema(
    [
        ("language", pa.string()),
        ("source", pa.string()),
        ("target", pa.string()),
        ("pos", pa.string()),
        ("candidates", pa.int32()),
        ("method", pa.string()),
        ("better", pa.int32()),  # candidates that score higher than the target
        ("tied", pa.int32()),  # that score alike, the target among them
        ("answer", pa.string()),  # one that scores highest
    ]
)
DISPERSIONS = pa.schema(
    [("language", pa.string()), ("word", pa.string()), ("pictures", pa.int32()), ("dispersion", pa.float64())]
)


AS_PUBLISHED = Methods()


class TranslatedRun(NamedTuple):
    """The outcome of one run.

    Attributes:
        lists: of words, by language.
        translations, dispersions: as of `translate`.
        twins: as of `repline.systems.image_lexicon.namesake_pictures.mutual_twins`.
    """

    lists: dict[str, WordList]
    translations: pa.Table
    dispersions: pa.Table
    twins: float | None


def translate(
    pictures: PictureSets,
    lists: Mapping[str, WordList],
    methods: Methods = AS_PUBLISHED,
    *,
    progress: Callable[[str], None] | None = None,
) -> tuple[pa.Table, pa.Table]:
    """The rank of each entry's translation among all translations of its list, by each method.

    An entry counts where both of its words have pictures; the candidates are the different translations of these.

    Args:
        methods: how many pictures of a word, and how the methods compare sets.
        progress: called with each language when it is done.

    Returns:
        tables with the schemas TRANSLATIONS and DISPERSIONS; the second has all words of the lists with pictures.

    Raises:
        InputError: a language has no pictures, or no entry has pictures on both sides.
    """
    max_pictures, seed = methods.most, methods.seed
    rows: list[pa.Table] = []
    words: dict[str, dict[str, None]] = {}
    for language, word_list in lists.items():
        sets_by_language = {name: pictures.sets.get(name, {}) for name in (word_list.source, language)}
        for name, sets in sets_by_language.items():
            if not sets:
                raise InputError(
                    f"{word_list.path}: expected pictures of the language {name}, which the list names, found none"
                )
        usable = pictured_entries(word_list, pictures)
        if not usable:
            raise InputError(
                f"{word_list.path}: expected words that have pictures, and translations that have some, found none"
            )
        sources = list(dict.fromkeys(entry.source for entry in usable))
        targets = list(dict.fromkeys(entry.target for entry in usable))
        source, target = (
            sets_of(pictures, name, side_list, max_pictures, seed)
            for name, side_list in ((word_list.source, sources), (language, targets))
        )
        near = match(source, target)
        scores: dict[str, NDArray] = {
            "avgmax": near.average,
            "maxmax": near.largest,
            "cnn_mean": aggregated(source, target, "mean", methods.l2),
            "cnn_max": aggregated(source, target, "max", methods.l2),
            "knn": nearest_scores(near.nearest, source, target),
            "knn_c": clustered_scores(
                near.nearest,
                source,
                target,
                cluster=methods.cluster,
                k=methods.clusters,
                restarts=methods.restarts,
                seed=seed,
                vote=methods.vote,
            ),
        }
        row_of_word = (
            {word: number for number, word in enumerate(sources)},
            {word: number for number, word in enumerate(targets)},
        )
        source_rows = np.array([row_of_word[0][entry.source] for entry in usable])
        gold = np.array([row_of_word[1][entry.target] for entry in usable])
        for method, matrix in scores.items():
            better, tied, answer = standing(matrix, source_rows, gold)
            columns: list[Any] = [[language] * len(usable), *(list(column) for column in zip(*usable, strict=True))]
            columns += [[len(targets)] * len(usable), [method] * len(usable), better, tied]
            columns.append([targets[number] for number in answer[source_rows]])
            rows.append(pa.table(columns, schema=TRANSLATIONS))
        for name, side in ((word_list.source, "source"), (language, "target")):
            side_words = dict.fromkeys(getattr(entry, side) for entry in word_list.entries)
            words.setdefault(name, {}).update({word: None for word in side_words if word in sets_by_language[name]})
        if progress:
            counts = f"{len(usable)} of {len(word_list.entries)} words, {len(targets)} candidates"
            progress(f"{word_list.source}-{language}: {counts}")
    dispersions = [
        _dispersions(pictures, name, list(side_words), max_pictures, seed) for name, side_words in words.items()
    ]
    return pa.concat_tables(rows), pa.concat_tables(dispersions)


def pictured_entries(word_list: WordList, pictures: PictureSets) -> list[Entry]:
    """The entries of a list whose word and translation both have pictures."""
    source, target = (pictures.sets.get(language, {}) for language in (word_list.source, word_list.target))
    return [entry for entry in word_list.entries if entry.source in source and entry.target in target]


def write_run(
    folder: str | Path,
    pictures: PictureSets,
    lists: Mapping[str, WordList],
    methods: Methods = AS_PUBLISHED,
    *,
    notes: Sequence[str] = (),
    progress: Callable[[str], None] | None = None,
) -> None:
    """Write what `translate` gives, the lists, and the share of `mutual_twins`.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        pictures, lists, methods, progress: of `translate`.
        notes: what was left out of the lists; it stands beside the twins.
    """
    translations, dispersions = translate(pictures, lists, methods, progress=progress)
    tables = {"entries": as_table(lists), "translations": translations, "dispersions": dispersions}
    twins = mutual_twins(pictures)
    with new_folder(folder) as partial:
        for name, table in tables.items():
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")
        write_json(partial / "twins.json", {"mutual": twins} | ({"notes": list(notes)} if notes else {}))
        describe_pictures(partial, pictures, lists, methods)


def read_run(folder: str | Path) -> TranslatedRun:
    """Read a run that `write_run` wrote."""
    folder = Path(folder)
    tables = [pq.read_table(folder / f"{name}.parquet") for name in ("entries", "translations", "dispersions")]
    twins = json.loads((folder / "twins.json").read_text(encoding="utf-8"))["mutual"]
    return TranslatedRun(of_table(tables[0]), tables[1], tables[2], twins)


def standing(
    scores: NDArray, source_rows: NDArray[np.int64], gold: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Ranks of the gold words: how many candidates score better, how many alike, and each word's first answer.

    Scores within 1e-6 of each other are alike, as rounding would otherwise order words with the same pictures.

    Args:
        scores: [S, T].
        source_rows, gold: row and column of each entry [n].

    Returns:
        better and tied [n], answer [S].
    """
    gold_scores = scores[source_rows, gold][:, None]
    rows = scores[source_rows]
    better = (rows > gold_scores + ALIKE).sum(1)
    tied = (rows >= gold_scores - ALIKE).sum(1) - better
    # the first of all that are as good as the best, so that rounding does not decide
    answer = (scores >= scores.max(1, keepdims=True) - ALIKE).argmax(1)
    return better, tied, answer


def drawn(rows: Sequence[int], number: int | None, seed: int, word: str) -> list[int]:
    """`number` of the rows, ascending, drawn by the seed and the word alone; all rows if there are no more."""
    if number is None or len(rows) <= number:
        return sorted(rows)
    rng = np.random.default_rng([seed, zlib.crc32(word.encode("utf-8"))])
    return sorted(rng.permutation(rows)[:number].tolist())


def sets_of(pictures: PictureSets, language: str, words: Sequence[str], max_pictures: int | None, seed: int) -> Sets:
    """The sets of some words, with the features of their pictures alone in memory."""
    rows_of_word = pictures.sets[language]
    rows_by_word = [drawn(rows_of_word[word], max_pictures, seed, f"{language}:{word}") for word in words]
    used = np.unique([row for rows in rows_by_word for row in rows])
    row_among_used = {row: number for number, row in enumerate(used.tolist())}
    return Sets.of(
        np.asarray(pictures.features[used]), [[row_among_used[row] for row in rows] for rows in rows_by_word]
    )


def _dispersions(
    pictures: PictureSets, language: str, words: list[str], max_pictures: int | None, seed: int
) -> pa.Table:
    sets = sets_of(pictures, language, words, max_pictures, seed)
    columns = [[language] * len(words), words, sets.sizes, pa.array(dispersion(sets), from_pandas=True)]
    return pa.table(columns, schema=DISPERSIONS)
