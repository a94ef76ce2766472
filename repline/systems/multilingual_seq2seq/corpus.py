"""What a model learns from and is tested on: texts of several languages as numbers of one vocabulary, in named sets.

The sets `train`, `dev` and `test` are parts of the corpus. Those of a further test have its name; where its texts have
labels and parts, NAME/train, NAME/dev and NAME/test, and where they are of several origins, NAME/ORIGIN.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field

from repline.cards import card_or_files, read_card, write_card
from repline.corpora.parallel.multiway import Tokenised, read_multiway
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.parameters import Count, Share
from repline.systems.multilingual_seq2seq.model import END, PAD, UNKNOWN, language_token
from repline.systems.multilingual_seq2seq.splits import PARTS, at_random, by_origin, part_of, parts_of_test

TEXTS, VOCABULARY = "texts.parquet", "vocabulary.json"
SCHEMA = pa.schema(
    [
        ("set", pa.string()),
        ("row", pa.int32()),
        ("language", pa.string()),
        ("document", pa.string()),
        ("label", pa.string()),
        ("learned", pa.bool_()),  # whether a model learns to translate it
        ("alike", pa.int32()),  # the first row of the set with the same tokens
        ("ids", pa.list_(pa.int32())),
    ]
)


class Texts(NamedTuple):
    """A set of texts: row i says the same in all `ids` (by language).

    `documents` and `labels` [N]; `learned` bool [N]; `alike` int [N] by language, the first row with the same tokens.
    """

    ids: dict[str, list[list[int]]]
    documents: list[str]
    labels: list[str | None]
    learned: list[bool]
    alike: dict[str, list[int]]

    @property
    def distinct(self) -> list[int]:
        """The rows of which no language has been there before."""
        columns = self.alike.values()
        return [row for row in range(len(self.documents)) if all(column[row] == row for column in columns)]


class Data(NamedTuple):
    """A prepared corpus: the vocabulary by number, each language's part of it, and the sets of texts by name."""

    words: list[str]
    rows: dict[str, list[int]]
    sets: dict[str, Texts]

    @property
    def languages(self) -> list[str]:
        """In the order of the corpus; the first is the one whose dev part a classifier is tuned on, if it is there."""
        return list(self.rows)

    def learned(self, first: str, second: str) -> tuple[list[list[int]], list[list[int]]]:
        """The training texts of two languages side by side."""
        sides: tuple[list[list[int]], list[list[int]]] = [], []
        for name, texts in self.sets.items():
            if part_of(name) == ("own", "train") and first in texts.ids and second in texts.ids:
                for row in np.flatnonzero(texts.learned).tolist():
                    sides[0].append(texts.ids[first][row])
                    sides[1].append(texts.ids[second][row])
        return sides


def write_data(
    texts: str | Path,
    folder: str | Path,
    *,
    languages: Annotated[list[str], Field(min_length=2)],
    parts: Mapping[str, list[str]] | None = None,
    dev: Share = 0.1,
    test: Share = 0.3,
    block: Count = 1,
    documents: Count | None = None,
    number: Count | None = None,
    minimum_count: Count = 1,
    vocabulary: Count = 85_000,
    longest: Count = 50,
    retrieval: Count = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Split a corpus, number its words, and write all sets into `folder`.

    Args:
        texts: a corpus of `repline.corpora.parallel.multiway`.
        languages: of it, two or more; the first is the one that classifiers are tuned on where all but one are learned.
        parts: the origins of train, dev and test; None: a random split of the documents.
        dev, test: shares of the documents, without `parts`.
        block: so many documents after one another come into the same part, without `parts`.
        documents: so many are drawn at random, the others left out, without `parts`; None for all.
        number: training texts that models learn from, drawn at random; None for all.
        minimum_count, vocabulary: of the shared vocabulary: occurrences in what is learned, and words at most.
        longest: tokens; a longer text is not learned from, and cut where it is tested.
        retrieval: texts of dev and of test that are looked for, drawn at random; the others stay parts of documents.

    Returns:
        The card.

    Raises:
        InputError: what `read_multiway` raises, an unknown origin, an empty part, a language without vocabulary.
    """
    rng = np.random.default_rng(seed)
    found = [one for one in (_known(one, languages) for one in read_multiway(texts)) if len(one.texts) > 1]
    split = by_origin(found, parts, texts) if parts else at_random(found, dev, test, block, documents, rng)
    for part in PARTS:
        if not split[part]:
            raise InputError(f"{texts}: no text of {' and '.join(languages)} for {part}")
    short = [row for row, one in enumerate(split["train"]) if max(map(len, one.texts.values())) <= longest]
    learned = sorted(rng.permutation(short)[:number].tolist())
    words, rows = _vocabulary([split["train"][row] for row in learned], languages, minimum_count, vocabulary, texts)
    if not any(one.label for one in split["train"]):  # the others are of use as documents with labels alone
        split["train"], learned = [split["train"][row] for row in learned], list(range(len(learned)))
    numbers = {word: number for number, word in enumerate(words)}
    counts = {"words": len(words), "learned": len(learned)} | {f"words_{key}": len(one) for key, one in rows.items()}
    tables = []
    for part, chosen in split.items():
        marked = set(learned) if part == "train" else _drawn(chosen, retrieval, rng)
        tables += _sets(part, chosen, marked, numbers, longest)
    with new_folder(folder) as partial:
        write_json(partial / VOCABULARY, {"words": words, "rows": rows, "languages": languages})
        parameters = {"languages": languages, "minimum_count": minimum_count, "longest": longest, "seed": seed}
        return _write(partial, folder, texts, tables, parameters, counts)


def write_test(texts: str | Path, corpus: str | Path, folder: str | Path, *, name: str) -> dict[str, Any]:
    """Number a further corpus, on which the models of another one are tested, by the vocabulary of that.

    Args:
        texts: a corpus of `repline.corpora.parallel.multiway`; its languages that the models do not know are left out.
        corpus: a folder that `write_data` wrote.
        name: of the sets.

    Returns:
        The card.

    Raises:
        InputError: what `read_multiway` raises, or no text with a known word in a known language.
    """
    data, longest = read_data(corpus), read_card(corpus)["parameters"]["longest"]
    numbers = {word: number for number, word in enumerate(data.words)}
    found = [one for one in (_known(one, data.languages) for one in read_multiway(texts)) if one.texts]
    tables = []
    for part, chosen in parts_of_test(name, found).items():
        tables += _sets(part, chosen, set(range(len(chosen))), numbers, longest)
    if not tables:
        raise InputError(f"{texts}: no text in {', '.join(data.languages)} with words that {corpus} knows")
    with new_folder(folder) as partial:
        return _write(partial, folder, texts, tables, {"languages": data.languages, "longest": longest}, {})


def read_data(folder: str | Path, tests: Sequence[str | Path] = ()) -> Data:
    """What `write_data` wrote, with the sets of `write_test`; InputError where it is not there."""
    folder = Path(folder)
    read_card(folder)
    vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    sets: dict[str, Texts] = {}
    for place in (folder, *map(Path, tests)):
        read_card(place)
        _read_sets(place, sets)
    rows = {language: vocabulary["rows"][language] for language in vocabulary["languages"]}
    return Data(vocabulary["words"], rows, sets)


def _write(
    partial: Path,
    folder: str | Path,
    texts: str | Path,
    tables: Sequence[pa.Table],
    parameters: Mapping[str, Any],
    counts: dict[str, int],
) -> dict[str, Any]:
    for table in tables:
        counts[f"texts_{table['set'][0].as_py()}"] = len(set(table["row"].to_pylist()))
    pq.write_table(pa.concat_tables(tables), partial / TEXTS, compression="zstd")
    origin = card_or_files(texts)
    return write_card(
        partial,
        name=Path(folder).name,
        description=f"Texts of {origin['name']} as numbers of one vocabulary",
        licence=origin["licence"],
        sources=[{"corpus": origin}],
        parameters=parameters,
        counts=counts,
    )


def _read_sets(folder: Path, sets: dict[str, Texts]) -> None:
    table = pq.read_table(folder / TEXTS)
    columns = [table[name].to_pylist() for name in SCHEMA.names]
    for name, row, language, document, label, learned, alike, ids in zip(*columns, strict=True):
        one = sets.setdefault(name, Texts({}, [], [], [], {}))
        if row == len(one.documents):  # of its first language
            one.documents.append(document)
            one.labels.append(label)
            one.learned.append(learned)
        one.ids.setdefault(language, []).append(ids)
        one.alike.setdefault(language, []).append(alike)


def _known(one: Tokenised, languages: Sequence[str]) -> Tokenised:
    return one._replace(texts={key: one.texts[key] for key in languages if one.texts.get(key)})


def _vocabulary(
    learned: Sequence[Tokenised], languages: Sequence[str], minimum: int, most: int, texts: str | Path
) -> tuple[list[str], dict[str, list[int]]]:
    counts = {language: Counter[str]() for language in languages}
    for one in learned:
        for language, tokens in one.texts.items():
            counts[language].update(tokens)
    total = sum(counts.values(), Counter[str]())
    ordered = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    known = [word for word, count in ordered if count >= minimum][:most]
    words = ["<pad>", "<unk>", "<end>", *map(language_token, languages), *known]
    first = len(words) - len(known)
    rows = {}
    for language in languages:
        own = [first + number for number, word in enumerate(known) if word in counts[language]]
        if not own:
            raise InputError(
                f"{texts}: language {language} has no vocabulary: no word of it is {minimum} times in what is learned"
            )
        rows[language] = [UNKNOWN, END, *own]
    return words, rows


def _drawn(chosen: Sequence[Tokenised], number: int, rng: np.random.Generator) -> set[int]:
    return set(rng.permutation(len(chosen))[:number].tolist())


def _sets(
    name: str,
    texts: Sequence[Tokenised],
    marked: set[int],
    numbers: Mapping[str, int],
    longest: int,
) -> list[pa.Table]:
    """The rows of a set; texts that lack a language that others have are sets of their own, NAME_en_de.

    A text without a known word in one of its languages is left out: its vector would say nothing.
    """
    groups: dict[tuple[str, ...], list[tuple[Tokenised, dict[str, list[int]], bool]]] = {}
    for row, one in enumerate(texts):
        ids = {key: [numbers.get(word, UNKNOWN) for word in tokens[:longest]] for key, tokens in one.texts.items()}
        if all(any(number != UNKNOWN for number in found) for found in ids.values()):
            groups.setdefault(tuple(ids), []).append((one, ids, row in marked))
    tables = []
    whole = max(groups, key=len, default=())
    for own, group in groups.items():
        rows: list[dict[str, Any]] = []
        firsts: dict[str, dict[tuple[str, ...], int]] = {language: {} for language in own}
        for row, (one, ids, learned) in enumerate(group):
            for language in own:
                alike = firsts[language].setdefault(tuple(one.texts[language]), row)
                rows.append(
                    {
                        "set": name if own == whole else "_".join([name, *own]),
                        "row": row,
                        "language": language,
                        "document": one.document,
                        "label": one.label,
                        "learned": learned,
                        "alike": alike,
                        "ids": ids[language],
                    }
                )
        tables.append(pa.Table.from_pylist(rows, SCHEMA))
    return tables


def padded(sentences: Sequence[Sequence[int]]) -> np.ndarray:
    """int32 [N, T], PAD behind the ends."""
    widths = [len(one) for one in sentences]
    found = np.full((len(sentences), max(widths, default=0)), PAD, np.int32)
    found[np.arange(found.shape[1]) < np.array(widths)[:, None]] = [number for one in sentences for number in one]
    return found
