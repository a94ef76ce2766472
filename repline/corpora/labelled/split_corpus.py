"""A corpus of labelled documents as texts with one label each in three parts, for classifiers.

The files are those of `repline.corpora.labelled.classified_texts`, with a card, and `part-00000.parquet` with
the sentences of the training texts alone (`doc_id`, `sentence_id`, `tokens`), for whoever trains word vectors.
"""

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.labelled.classified_texts import Text, Texts, split_texts, write_texts
from repline.corpora.labelled.recipes import SplitCorpus
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError, in_one_line, readable
from repline.files import new_folder
from repline.segmentation.document_sentences import sentences_of

NONE_OR_SEVERAL = "labels_none_or_several"


def write_split(corpus: str | Path, folder: str | Path, split: SplitCorpus) -> Card:
    """Write `folder`, and its card.

    Args:
        corpus: of labelled documents (`write_labelled`).
        folder: replaces what was there; it appears whole or not at all.
        split: the labels to distinguish, and how large the parts are.

    Returns:
        the card.

    Raises:
        InputError: the corpus cannot be read, has no such kind of labels, or too few documents.
    """
    counts: Counter[str] = Counter()
    candidates = list(_texts(corpus, split, counts))
    try:
        frequent_enough, left_out = split_texts(candidates, split)
        with new_folder(folder) as partial:
            texts = write_texts(partial, frequent_enough)
            _write_training(partial, texts)
            origin = card_or_files(corpus)
            return write_card(
                partial,
                name=f"{origin['name']}: {split.label}, in three parts",
                description=f"{origin.get('description', origin['name'])}; one label a text, in sentences of words",
                licence=origin["licence"],
                sources=[{"corpus": origin}],
                parameters=split.model_dump(include=set(SplitCorpus.model_fields)),
                counts={part: len(ids) for part, ids in texts.ids.items()}
                | {"labels": len(texts.labels), f"left_out_{NONE_OR_SEVERAL}": counts[NONE_OR_SEVERAL]}
                | {f"left_out_{why}": count for why, count in left_out.items()},
            )
    except InputError as error:
        raise InputError(f"{corpus}: {error}") from None


def _texts(corpus: str | Path, split: SplitCorpus, counts: Counter[str]) -> Iterator[Text]:
    """The texts with one of the labels to distinguish; documents with none or several labels are counted."""
    paths = sorted(Path(corpus).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{corpus}: expected a corpus of labelled documents, found no part-*.parquet")
    for path in paths:
        try:
            names = pq.read_schema(path).names
            if missing := {"doc_id", "text", split.label} - set(names):
                raise InputError(f"{path}: expected the column {min(missing)}, found {readable(', '.join(names))}")
            columns = ["doc_id", "text", split.label, *(["part"] if "part" in names else [])]
            rows = pq.read_table(path, columns=columns).to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise InputError(
                f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
            ) from None
        for row in rows:
            labels = row[split.label] or []
            if len(labels) != 1:
                counts[NONE_OR_SEVERAL] += 1
            elif split.only is None or any(fnmatchcase(labels[0], pattern) for pattern in split.only):
                sentences = sentences_of(row["text"], split.splitting)
                yield Text(row["doc_id"], labels[0], sentences, row.get("part") or "")


def _write_training(folder: Path, texts: Texts) -> None:
    with PartWriter(folder, sentence_schema()) as writer:
        for name, sentences in zip(texts.ids["train"], texts.sentences["train"], strict=True):
            rows = [{"doc_id": name, "sentence_id": number, "tokens": words} for number, words in enumerate(sentences)]
            writer.write(pa.RecordBatch.from_pylist(rows, sentence_schema()))
