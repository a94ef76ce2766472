"""A corpus of labelled documents as texts with one label each in three parts, for classifiers.

The files are those of `repline.evaluation.classification.classified_texts`, with a card, and `part-00000.parquet` with
the sentences of the training texts alone (`doc_id`, `sentence_id`, `tokens`), for whoever trains word vectors.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import card_or_files, write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError
from repline.evaluation.classification.classified_texts import Text, Texts, split_texts, write_texts
from repline.evaluation.classification.stratified_split import Size
from repline.files import new_folder
from repline.parameters import Count
from repline.segmentation.document_sentences import Splitting, sentences_of


def write_split(
    corpus: str | Path,
    folder: str | Path,
    *,
    label: str,
    splitting: Splitting,
    only: list[str] | None = None,
    dev: Size = 0.1,
    test: Size = 0.1,
    least: Count = 3,
    number: Count | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Write `folder`, and its card.

    Args:
        corpus: of labelled documents (`write_labelled`).
        folder: replaces what was there; it appears whole or not at all.
        label: the kind of labels; documents with none or several of it are left out.
        splitting: how a text becomes sentences and words.
        only: labels that fit one of these patterns ("rec.*"); None for all.
        dev, test, least, number, seed: as of `split_texts`.

    Returns:
        the card.

    Raises:
        InputError: the corpus cannot be read, has no such kind of labels, or too few documents.
    """
    several = [0]
    texts = list(_texts(corpus, label, splitting, only, several))
    try:
        kept, left_out = split_texts(texts, dev=dev, test=test, least=least, number=number, seed=seed)
        with new_folder(folder) as partial:
            made = write_texts(partial, kept)
            _write_training(partial, made)
            origin = card_or_files(corpus)
            return write_card(
                partial,
                name=f"{origin['name']}: {label}, in three parts",
                description=f"{origin.get('description', origin['name'])}; one label a text, in sentences of words",
                licence=origin["licence"],
                sources=[{"corpus": origin}],
                parameters={
                    "label": label,
                    "splitting": splitting,
                    "only": only,
                    "dev": dev,
                    "test": test,
                    "least": least,
                    "number": number,
                    "seed": seed,
                },
                counts={part: len(found) for part, found in made.ids.items()}
                | {"labels": len(made.labels), "left_out_labels_none_or_several": several[0]}
                | {f"left_out_{why}": count for why, count in left_out.items()},
            )
    except InputError as error:
        raise InputError(f"{corpus}: {error}") from None


def _texts(
    corpus: str | Path, label: str, splitting: Splitting, only: list[str] | None, several: list[int]
) -> Iterator[Text]:
    paths = sorted(Path(corpus).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{corpus}: expected a corpus of labelled documents, found no part-*.parquet")
    for path in paths:
        try:
            names = pq.read_schema(path).names
            if missing := {"doc_id", "text", label} - set(names):
                raise InputError(f"{path}: there is no column {min(missing)}; there are {', '.join(names)}")
            columns = ["doc_id", "text", label, *(["part"] if "part" in names else [])]
            rows = pq.read_table(path, columns=columns).to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{path}: this is not a readable Parquet file ({error}); make the corpus again") from None
        for row in rows:
            found = row[label] or []
            if len(found) != 1:
                several[0] += 1
            elif only is None or any(fnmatchcase(found[0], pattern) for pattern in only):
                yield Text(row["doc_id"], found[0], sentences_of(row["text"], splitting), row.get("part") or "")


def _write_training(folder: Path, texts: Texts) -> None:
    with PartWriter(folder, sentence_schema()) as writer:
        for name, sentences in zip(texts.ids["train"], texts.sentences["train"], strict=True):
            rows = [{"doc_id": name, "sentence_id": place, "tokens": words} for place, words in enumerate(sentences)]
            writer.write(pa.RecordBatch.from_pylist(rows, sentence_schema()))
