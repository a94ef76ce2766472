"""Prepare texts of several languages as word numbers of one vocabulary, in named sets for training and tests.

The sets `train`, `dev` and `test` are parts of the corpus. Those of a further test have its name; where its texts have
labels and parts, NAME/train, NAME/dev and NAME/test, and where they are of several origins, NAME/ORIGIN.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, NamedSource, card_or_files, read_card, write_card
from repline.corpora.parallel.multiway import Tokenised, read_multiway
from repline.corpora.parallel.recipes import Tokens
from repline.errors import InputError
from repline.evaluation.nested_measures import Replicate
from repline.files import new_folder, write_json
from repline.parameters import JsonObject
from repline.systems.multilingual_seq2seq.settings import PARTS, Numbering
from repline.systems.multilingual_seq2seq.splits import at_random, by_origin, part_of, parts_of_test
from repline.systems.multilingual_seq2seq.vocabulary import END, UNKNOWN, language_token

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
    """A set of texts in several languages: row i of `ids[language]` [N] is the same text in each language.

    `documents` and `labels` [N]; `learned` bool [N]; `alike` int [N] by language, the first row with the same tokens.
    """

    ids: dict[str, list[list[int]]]
    documents: list[str]
    labels: list[str | None]
    learned: list[bool]
    alike: dict[str, list[int]]

    @property
    def distinct(self) -> list[int]:
        """The rows whose text occurs in no earlier row, in any language."""
        columns = self.alike.values()
        return [row for row in range(len(self.documents)) if all(column[row] == row for column in columns)]


class Splitting(NamedTuple):
    """How raw texts were split into tokens.

    Attributes:
        tokens: by language, what a text is a sequence of, see `MultiwayCorpus`; the default of a language is left out.
        lower: whether tokens are in lower case.
        longest: tokens of a text at most.
    """

    tokens: dict[str, Tokens]
    lower: bool
    longest: int


class Data(NamedTuple):
    """A prepared corpus: the vocabulary and the texts as numbers.

    Attributes:
        words: the vocabulary by number; rows: the numbers of each language's words; sets: of texts, by name.
        splitting: of raw texts.
    """

    words: list[str]
    rows: dict[str, list[int]]
    sets: dict[str, Texts]
    splitting: Splitting = Splitting({}, True, 200)

    @property
    def languages(self) -> list[str]:
        """Languages in the order of the corpus; classifiers are tuned on the dev part of the first."""
        return list(self.rows)

    def learned(self, first: str, second: str) -> tuple[list[list[int]], list[list[int]]]:
        """Training texts of two languages as two lists of the same length, translations at the same index."""
        sides: tuple[list[list[int]], list[list[int]]] = [], []
        for name, texts in self.sets.items():
            if part_of(name) == ("own", "train") and first in texts.ids and second in texts.ids:
                for row in np.flatnonzero(texts.learned).tolist():
                    sides[0].append(texts.ids[first][row])
                    sides[1].append(texts.ids[second][row])
        return sides


def write_data(texts: str | Path, folder: str | Path, numbering: Numbering) -> Card:
    """Split a corpus, number its words, and write all sets into `folder`.

    Args:
        texts: a corpus of `repline.corpora.parallel.multiway`.
        numbering: how it is split and numbered.

    Returns:
        The card.

    Raises:
        InputError: what `read_multiway` raises, an unknown origin, an empty part, a language without vocabulary.
    """
    languages, longest = numbering.languages, numbering.longest
    rng = np.random.default_rng(numbering.seed)
    selected = (in_languages(text, languages) for text in read_multiway(texts))
    parallel = [text for text in selected if len(text.texts) > 1]
    if numbering.parts:
        split = by_origin(parallel, numbering.parts, texts)
    else:
        split = at_random(parallel, numbering.dev, numbering.test, numbering.block, numbering.documents, rng)
    for part in PARTS:
        if not split[part]:
            raise InputError(
                f"{texts}: expected text of {' and '.join(languages)} for {part}, found none; take more text"
            )
    short = [row for row, text in enumerate(split["train"]) if max(map(len, text.texts.values())) <= longest]
    learned = sorted(rng.permutation(short)[: numbering.number].tolist())
    words, rows = _vocabulary([split["train"][row] for row in learned], numbering, texts)
    if not any(text.label for text in split["train"]):  # texts that are not learned serve only as labelled documents
        split["train"], learned = [split["train"][row] for row in learned], list(range(len(learned)))
    numbers = {word: number for number, word in enumerate(words)}
    counts = {"words": len(words), "learned": len(learned)}
    counts |= {f"words_{language}": len(language_rows) for language, language_rows in rows.items()}
    tables = []
    for part, part_texts in split.items():
        marked = set(learned) if part == "train" else _drawn(part_texts, numbering.retrieval, rng)
        tables += _sets(part, part_texts, marked, numbers, longest)
    with new_folder(folder) as partial:
        write_json(partial / VOCABULARY, {"words": words, "rows": rows, "languages": languages})
        parameters = numbering.model_dump(include={"languages", "minimum_count", "longest", "seed"})
        return _write(partial, folder, texts, tables, parameters, counts)


def write_test(texts: str | Path, corpus: str | Path, folder: str | Path, *, name: str) -> Card:
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
    selected = (in_languages(text, data.languages) for text in read_multiway(texts))
    tables = []
    for part, part_texts in parts_of_test(name, [text for text in selected if text.texts]).items():
        tables += _sets(part, part_texts, set(range(len(part_texts))), numbers, longest)
    if not tables:
        raise InputError(f"{texts}: no text in {', '.join(data.languages)} with words that {corpus} knows")
    with new_folder(folder) as partial:
        return _write(partial, folder, texts, tables, {"languages": data.languages, "longest": longest}, {})


def read_data(folder: str | Path, tests: Sequence[str | Path] = ()) -> Data:
    """Read the folder that `write_data` wrote, and the sets of `write_test`; InputError where there is none."""
    folder = Path(folder)
    card = read_card(folder)
    source = cast(NamedSource, card["sources"][0])["corpus"].get("parameters", {})
    splitting = Splitting(source.get("tokens", {}), source.get("lower", True), card["parameters"]["longest"])
    vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    sets: dict[str, Texts] = {}
    for folder_of_sets in (folder, *map(Path, tests)):
        read_card(folder_of_sets)
        _read_sets(folder_of_sets, sets)
    rows = {language: vocabulary["rows"][language] for language in vocabulary["languages"]}
    return Data(vocabulary["words"], rows, sets, splitting)


def _write(
    partial: Path,
    folder: str | Path,
    texts: str | Path,
    tables: Sequence[pa.Table],
    parameters: JsonObject,
    counts: dict[str, int],
) -> Card:
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
        texts = sets.setdefault(name, Texts({}, [], [], [], {}))
        if row == len(texts.documents):  # of its first language
            texts.documents.append(document)
            texts.labels.append(label)
            texts.learned.append(learned)
        texts.ids.setdefault(language, []).append(ids)
        texts.alike.setdefault(language, []).append(alike)


def in_languages(text: Tokenised, languages: Sequence[str]) -> Tokenised:
    """A text with only those of its languages that are in `languages`."""
    return text._replace(texts={language: text.texts[language] for language in languages if text.texts.get(language)})


def _vocabulary(
    learned: Sequence[Tokenised], numbering: Numbering, texts: str | Path
) -> tuple[list[str], dict[str, list[int]]]:
    counts = {language: Counter[str]() for language in numbering.languages}
    for text in learned:
        for language, tokens in text.texts.items():
            counts[language].update(tokens)
    total = sum(counts.values(), Counter[str]())
    ordered = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    frequent = [word for word, count in ordered if count >= numbering.minimum_count][: numbering.vocabulary]
    words = ["<pad>", "<unk>", "<end>", *map(language_token, numbering.languages), *frequent]
    first = len(words) - len(frequent)
    rows = {}
    for language in numbering.languages:
        language_rows = [first + number for number, word in enumerate(frequent) if word in counts[language]]
        if not language_rows:
            raise InputError(
                f"{texts}: language {language} has no vocabulary: no word of it occurs {numbering.minimum_count} times "
                "in the training text"
            )
        rows[language] = [UNKNOWN, END, *language_rows]
    return words, rows


def _drawn(texts: Sequence[Tokenised], number: int, rng: np.random.Generator) -> set[int]:
    return set(rng.permutation(len(texts))[:number].tolist())


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
    for row, text in enumerate(texts):
        ids = {key: [numbers.get(word, UNKNOWN) for word in tokens[:longest]] for key, tokens in text.texts.items()}
        if all(any(number != UNKNOWN for number in text_ids) for text_ids in ids.values()):
            groups.setdefault(tuple(ids), []).append((text, ids, row in marked))
    tables = []
    whole = max(groups, key=len, default=())
    for languages, group in groups.items():
        rows: list[Replicate] = []
        firsts: dict[str, dict[tuple[str, ...], int]] = {language: {} for language in languages}
        for row, (text, ids, learned) in enumerate(group):
            for language in languages:
                alike = firsts[language].setdefault(tuple(text.texts[language]), row)
                rows.append(
                    {
                        "set": name if languages == whole else "_".join([name, *languages]),
                        "row": row,
                        "language": language,
                        "document": text.document,
                        "label": text.label,
                        "learned": learned,
                        "alike": alike,
                        "ids": ids[language],
                    }
                )
        tables.append(pa.Table.from_pylist(rows, SCHEMA))
    return tables
