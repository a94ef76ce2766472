"""Documents rewritten as lower-cased lemmas, in ways that differ only in how names appear.

    Delta Airlines bought Apple shares in Helsinki, with the names [Delta Airlines ORG] [Apple ORG] [Helsinki GPE]:

    type               c-company buy c-company share in c-location
    name               delta_airlines buy apple share in helsinki
    split-name         delta airlines buy apple share in helsinki
    split-name+common  delta_NE airlines_NE buy apple_NE share in helsinki_NE
    drop               buy share in

Source: Pivovarova & Yangarber 2018, "Comparison of Representations of Named Entities for Multi-label Document
Classification with Convolutional Neural Networks", section 4. `drop` is not theirs.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, get_args

import pyarrow as pa

from repline.cards import Card, card_of_source, write_card
from repline.corpora.chunks.tag_spans import spans
from repline.corpora.entities.entity_types import types_of
from repline.corpora.entities.recipes import Mode, RewrittenCorpus
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.parquet import PartWriter
from repline.errors import InputError
from repline.files import new_folder

MODES: tuple[Mode, ...] = get_args(Mode)
NEEDED = ("tokens", "lemma", "entity")
SENTENCE_COLUMNS = ("doc_id", "sentence_id", "section", "split")  # columns that are not parallel to the tokens


class SentenceRow(TypedDict):
    """A sentence with the columns NEEDED, each of which may be null."""

    doc_id: str
    sentence_id: int
    tokens: list[str] | None
    lemma: list[str | None] | None
    entity: list[str] | None


def rewrite(words: Sequence[str | None], tags: Sequence[str], mode: Mode, *, marks: bool = False) -> list[str]:
    """The tokens of a sentence in one way of writing names.

    Args:
        words: its lemmas.
        tags: IOB2, with the labels of OntoNotes and `NAME`; spans that are no names (dates, amounts) are common words.
        mode: type, one token a name for its type; name, one token with `_` between its words; split-name, a token a
            word; split-name+common, the same with `_NE` after each; drop, no token.
        marks: keep tokens without a letter or digit. They are left out of names too, and with them a name of nothing
            else.

    Returns:
        As many tokens by `type` as by `name`, as many by `split-name` as by `split-name+common` and at least as many as
        by `name`; in all modes the same where there is no name.
    """
    lemmas = [(word or "").lower() for word in words]
    lemmas = [word if marks or any(map(str.isalnum, word)) else "" for word in lemmas]
    tokens: list[str] = []
    sentences_done = 0
    for kind, start, end in spans(types_of(tags)):
        tokens += [word for word in lemmas[sentences_done:start] if word]
        sentences_done = end
        name = [word for word in lemmas[start:end] if word]
        if not name or mode == "drop":
            continue
        if mode == "type":
            tokens.append(f"c-{kind}")
        elif mode == "name":
            tokens.append("_".join(name))
        else:
            tokens += [f"{word}_NE" for word in name] if mode == "split-name+common" else name
    return tokens + [word for word in lemmas[sentences_done:] if word]


def write_rewritten(source: str | Path, folder: str | Path, corpus: RewrittenCorpus) -> Card:
    """Rewrite a corpus, `part-*.parquet`, with its sentences' names rewritten in the column `tokens`.

    The rows are those of the source, one for one, also where no token is left.

    Args:
        source: an annotated corpus with `lemma` and `entity`.
        folder: replaces what was there; it appears whole or not at all.
        corpus: how names are written.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, lacks a column, has no sentence, or a sentence whose columns are not of
            one length.
    """
    card, mode = card_of_source(source), corpus.mode
    sentences = read_sentences(source)
    if missing := [name for name in NEEDED if name not in sentences.schema.names]:
        raise InputError(f"{source}: to rewrite names it needs the column {', '.join(missing)}, which is not there")
    schema = pa.schema(
        [sentences.schema.field(name) for name in (*SENTENCE_COLUMNS, "tokens") if name in sentences.schema.names]
    )
    counts: Counter[str] = Counter()
    with new_folder(folder) as partial, PartWriter(partial, schema) as writer:
        for _, batch in sentences.batches():
            tokens = [
                _row(row, mode, corpus.marks) for row in batch.select(["doc_id", "sentence_id", *NEEDED]).to_pylist()
            ]
            counts["tokens"] += sum(map(len, tokens))
            columns = {name: batch[name] for name in schema.names} | {"tokens": pa.array(tokens, pa.list_(pa.string()))}
            writer.write(pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema))
        writer.close()
        if not writer.rows:
            raise InputError(f"{source}: there is no sentence in it")
        return write_card(
            partial,
            name=f"{card['name']}: names by {mode}",
            description=f"{card.get('description', card['name'])}; as lower-cased lemmas, with names by {mode}",
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters=corpus.model_dump(include=set(RewrittenCorpus.model_fields)),
            counts={"sentences": writer.rows, "tokens": counts["tokens"]},
        )


def _row(row: SentenceRow, mode: Mode, marks: bool) -> list[str]:
    tokens, lemmas, tags = row["tokens"] or [], row["lemma"] or [], row["entity"] or []
    if not len(tokens) == len(lemmas) == len(tags):
        raise InputError(
            f"document {row['doc_id']}, sentence {row['sentence_id']}: expected a lemma and an entity tag "
            f"for each of {len(tokens)} tokens, found {len(lemmas)} lemmas and {len(tags)} tags"
        )
    return rewrite([lemma or token for token, lemma in zip(tokens, lemmas, strict=True)], tags, mode, marks=marks)
