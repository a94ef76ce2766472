"""The documents that are classified: drawn, split, with the most frequent labels, and names written in every way.

documents.parquet   `doc_id`, `part` (train, dev, test, or rest: those that were not drawn), a column of labels for
                    each task and a column of tokens for each way of writing names, under the name of its mode
labels.json         the labels of each task that are classified, most frequent first
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, NamedSource, card_of_source, read_card, write_card
from repline.corpora.entities.name_rewriting import MODES, NEEDED, rewrite
from repline.corpora.entities.recipes import RULE_SETS, Base, Mode, RuleSet
from repline.corpora.labelled.labelled_corpus import read_labels
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.errors import InputError, in_one_line
from repline.files import new_folder, write_json
from repline.systems.entity_documents.settings import Corpus

PARTS = ("train", "dev", "test")
REST = "rest"
DISTINCT: Mode = "split-name"  # of documents with the same words in this way of writing, the first one is taken


def write_data(folder: str | Path, corpus: Corpus, data: str | Path = "data") -> Card:
    """Write the documents of a corpus with names in every way of writing, and return their card.

    The card counts what is left out: documents without a word, with the words of an earlier one, or without a label of
    each task.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        corpus: which documents and labels, folders of `data`.

    Raises:
        InputError: a corpus cannot be read, lacks a column or a kind of labels; there are too few documents, or no
            label is frequent enough.
    """
    documents, labels, tasks = Path(data) / corpus.documents, Path(data) / corpus.labels, corpus.tasks
    kinds = read_labels(labels, tasks)
    names, rows, seen = list[str](), list[dict[str, list[str]]](), set[tuple[str, ...]]()
    left_out = Counter(empty=0, same_words=0, no_label=0)
    for name, written in _documents(documents):
        words = tuple(written[DISTINCT])
        if not words:
            left_out["empty"] += 1
        elif words in seen:
            left_out["same_words"] += 1
        elif not all(kinds.get(name, {}).get(task) for task in tasks):
            left_out["no_label"] += 1
        else:
            seen.add(words)
            names.append(name)
            rows.append({**kinds[name], **written})
    parts = _parts(len(rows), corpus)
    labels_by_task = {}
    for task in tasks:
        counts = Counter(label for row, part in zip(rows, parts, strict=True) if part == "train" for label in row[task])
        ordered = sorted(counts, key=lambda label: (-counts[label], label))
        labels_by_task[task] = [label for label in ordered[: corpus.most] if counts[label] >= corpus.least]
        if not labels_by_task[task]:
            raise InputError(
                f"{labels}: expected labels of {task} with {corpus.least} training documents, found none; lower `least`"
            )
    texts = pa.string()
    lists = [(name, pa.list_(texts)) for name in (*tasks, *MODES)]
    schema = pa.schema([("doc_id", texts), ("part", texts), *lists])
    card = card_of_source(documents)
    with new_folder(folder) as partial:
        table = pa.Table.from_pylist(
            [{"doc_id": name, "part": part, **row} for name, part, row in zip(names, parts, rows, strict=True)],
            schema=schema,
        )
        pq.write_table(table, partial / "documents.parquet", compression="zstd")
        write_json(partial / "labels.json", labels_by_task)
        return write_card(
            partial,
            name=f"{card['name']}: documents with names written in {len(MODES)} ways",
            description=card.get("description", card["name"]),
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters=corpus.model_dump(exclude={"documents", "labels"}),
            counts={part: parts.count(part) for part in (*PARTS, REST)}
            | {f"labels_{task}": len(names) for task, names in labels_by_task.items()}
            | {f"tokens_{mode}": sum(len(row[mode]) for row in rows) for mode in MODES}
            | {f"left_out_{why}": count for why, count in left_out.items()},
        )


@dataclass(frozen=True)
class Documents:
    """The documents that `write_data` wrote, in one way of writing names.

    Attributes:
        tokens: of each document, by part.
        gold: by task and part, bool [N, C].
        labels: by task, the names of its labels.
        rules, base: how the names were found, of `repline.corpora.entities.entity_recognition.EntityRecogniser`.
    """

    tokens: Mapping[str, list[list[str]]]
    gold: Mapping[str, Mapping[str, NDArray[np.bool_]]]
    labels: Mapping[str, list[str]]
    rules: Sequence[RuleSet] = RULE_SETS
    base: Base = "spacy"

    def words(self, minimum_count: int) -> list[str]:
        """The words that occur at least `minimum_count` times in training, most frequent first."""
        counts = Counter(token for tokens in self.tokens["train"] for token in tokens)
        return sorted(
            (word for word, count in counts.items() if count >= minimum_count), key=lambda word: (-counts[word], word)
        )


def read_data(folder: str | Path, mode: Mode) -> Documents:
    """Read the documents in one way of writing names; InputError where they are missing or damaged."""
    folder = Path(folder)
    try:
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        table = pq.read_table(folder / "documents.parquet", columns=["part", *labels, mode])
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: the documents cannot be read ({in_one_line(error)}); make them again") from None
    parts = np.array(table["part"].to_pylist(), dtype=object)
    tokens = table[mode].to_pylist()
    rows = {part: np.flatnonzero(parts == part) for part in (*PARTS, REST)}
    gold = {}
    for task, names in labels.items():
        held = [set(document_labels) for document_labels in table[task].to_pylist()]
        matrix = np.array([[name in document_labels for name in names] for document_labels in held], bool).reshape(
            len(held), len(names)
        )
        gold[task] = {part: matrix[part_rows] for part, part_rows in rows.items()}
    (origin,) = read_card(folder)["sources"]
    recognition = cast(NamedSource, origin)["corpus"].get("parameters", {})
    return Documents(
        {part: [tokens[row] for row in part_rows] for part, part_rows in rows.items()},
        gold,
        labels,
        recognition.get("rules", RULE_SETS),
        recognition.get("base", "spacy"),
    )


def _documents(corpus: str | Path) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Each document's id and its tokens by mode. Sentences of a document follow each other."""
    sentences = read_sentences(corpus)
    if missing := [name for name in NEEDED if name not in sentences.schema.names]:
        raise InputError(f"{corpus}: to rewrite names it needs the column {', '.join(missing)}, which is not there")
    current, written = None, dict[str, list[str]]()
    for _, batch in sentences.batches():
        for row in batch.select(["doc_id", "sentence_id", *NEEDED]).to_pylist():
            if row["doc_id"] != current:
                if written:
                    yield str(current), written
                current, written = row["doc_id"], {mode: [] for mode in MODES}
            columns = [row[name] or [] for name in NEEDED]
            if len(set(map(len, columns))) > 1:
                raise InputError(
                    f"{corpus}: document {row['doc_id']}, sentence {row['sentence_id']}: its columns "
                    f"{', '.join(NEEDED)} are not of one length; make the corpus again"
                )
            tokens, lemmas, tags = columns
            words = [lemma or token for token, lemma in zip(tokens, lemmas, strict=True)]
            for mode in MODES:
                written[mode] += rewrite(words, tags, mode)
    if written:
        yield str(current), written


def _parts(documents: int, corpus: Corpus) -> list[str]:
    """The part of each of this number of documents."""
    number = documents if corpus.number is None else corpus.number
    dev, test = corpus.dev, corpus.test
    if documents < number or number <= dev + test:
        raise InputError(
            f"{corpus.documents}: expected {number} different documents with all labels, and more than the "
            f"{dev + test} of "
            f"dev and test, found {documents}"
        )
    order = np.random.default_rng(corpus.seed).permutation(documents)
    parts = np.full(documents, REST, dtype=object)
    for part, (start, end) in {"test": (0, test), "dev": (test, test + dev), "train": (test + dev, number)}.items():
        parts[order[start:end]] = part
    return parts.tolist()
