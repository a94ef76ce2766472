"""Add a column of chunks to a corpus of sentences: by rules where it has a parse, else by a trained tagger."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pyarrow as pa

from repline.cards import Card, card_of_source, write_card
from repline.corpora.annotation import parsed, tools_of
from repline.corpora.chunks.chunk_tagger import ChunkTagger
from repline.corpora.chunks.parse_chunks import chunk_tags
from repline.corpora.language_modeling.text_sources import read_sentences, splitter_of_source
from repline.corpora.parquet import PartWriter
from repline.errors import InputError
from repline.files import new_folder

PARSE = ("tag", "head", "dep")
_TAGS = pa.list_(pa.string())


def write_chunks(
    source: str | Path,
    folder: str | Path,
    *,
    by: Literal["parse", "tagger"] = "parse",
    tagger: str | Path | None = None,
    parse: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Rewrite a corpus, `part-*.parquet`, with chunks of all types in its column `chunk`.

    A split that comes with the source's files becomes a column `split`.

    Args:
        source: a folder as in `repline.corpora.language_modeling.text_sources.read_sentences`.
        folder: replaces what was there; it appears whole or not at all.
        by: the rules of `repline.corpora.chunks.parse_chunks`, which need the columns `tag`, `head` and `dep`; or a
            tagger.
        tagger: a folder that `ChunkTagger.save` wrote.
        parse: let spaCy's English pipeline parse the words as they stand, into the columns `tag`, `head` and `dep`,
            where the source has none; with text in lower case and without punctuation it errs more often.
        progress: called with the sentences and the chunks so far.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, has no parse (or no tags, where the tagger needs them), or no sentence.
    """
    card = card_of_source(source)
    sentences = read_sentences(source)
    trained = None
    if by == "tagger":
        if tagger is None:
            raise InputError("chunks by a tagger need one; name the folder of a trained chunk tagger")
        trained = ChunkTagger.load(tagger)
    needed = PARSE if trained is None else ("tag",) if trained.uses_tags else ()
    missing = [name for name in needed if name not in sentences.schema.names]
    if missing and not parse:
        raise InputError(
            f"{source}: chunks by {by} need the column {', '.join(missing)}, which is not there; take an annotated "
            "corpus, or a tagger that reads words alone"
        )
    counts = {"sentences": 0, "tokens": 0, "chunks": 0}
    writer = None
    with new_folder(folder) as partial:
        for split, batch in sentences.batches():
            batch = _parsed(batch) if parse else batch
            chunk_tags = _by_rules(batch) if trained is None else _by_tagger(trained, batch)
            counts["sentences"] += len(batch)
            counts["tokens"] += sum(map(len, chunk_tags))
            counts["chunks"] += sum(tag.startswith("B") for tags in chunk_tags for tag in tags)
            table = _with_column(pa.table(batch), "chunk", pa.array(chunk_tags, _TAGS))
            if split is not None:
                table = _with_column(table, "split", pa.array([split] * len(batch)))
            if writer is None:
                writer = PartWriter(partial, table.schema)
            writer.write(table)
            if progress:
                progress(counts["sentences"], counts["chunks"])
        if writer is None or not counts["sentences"]:
            raise InputError(f"{source}: there is no sentence to chunk")
        writer.close()
        return write_card(
            partial,
            name=f"{card['name']}: chunks",
            description=f"{card.get('description', card['name'])}; with chunks of all types by {by}",
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters={"by": by, "parse": parse, "splitter": splitter_of_source(source, sentences)},
            counts=counts,
            tools=["numpy", "pyarrow", *(tools_of("en") if parse else [])],
        )


def _parsed(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with spaCy's tags, heads and relations."""
    _, *columns = zip(*parsed(batch["tokens"].to_pylist()), strict=True) if len(batch) else ([], [], [], [])
    table = pa.table(batch)
    for name, values in zip(PARSE, columns, strict=True):
        kind = pa.list_(pa.int32()) if name == "head" else _TAGS
        table = _with_column(table, name, pa.array(list(values), kind))
    return table.combine_chunks().to_batches()[0] if len(table) else pa.RecordBatch.from_pylist([], table.schema)


def _by_rules(batch: pa.RecordBatch) -> list[list[str]]:
    if batch["head"].flatten().null_count:
        raise InputError("chunks by rules need a parse, and a word of the source has no head; parse the source")
    columns = (batch[name].to_pylist() for name in ("tokens", *PARSE))
    return [chunk_tags(*sentence) for sentence in zip(*columns, strict=True)]


def _by_tagger(tagger: ChunkTagger, batch: pa.RecordBatch) -> list[list[str]]:
    return tagger.predict(batch["tokens"].to_pylist(), batch["tag"].to_pylist() if tagger.uses_tags else None)


def _with_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    if name in table.schema.names:
        return table.set_column(table.schema.names.index(name), name, values)
    return table.append_column(name, values)
