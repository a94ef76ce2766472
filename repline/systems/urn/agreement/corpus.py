"""Subject-verb number agreement: from any source of marked or parsed sentences to numbered words and labels.

One example is the words of a sentence before a present-tense verb, and whether that verb is singular. Which verbs
count is decided in `agreeing_verbs` for parsed corpora; in marked sentences (`marked_sentences`) the verb is given.
Here the examples are split by document and rare words are replaced.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection
from tqdm import tqdm

from repline.cards import Card, card_of_source, write_card
from repline.errors import InputError, in_one_line
from repline.files import as_written, new_folder
from repline.reading import conllu
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.settings import recipe_values
from repline.reading.wrong_records import LeftOut
from repline.systems.urn.agreement import agreeing_verbs, marked_sentences
from repline.systems.urn.agreement.unknown_words import PADDING, SUFFIX_CLASSES, UNKNOWN, unknown_word
from repline.systems.urn.settings import AgreementCorpus

SCHEMA = pa.schema(
    [
        ("doc_id", pa.string()),
        ("sentence_id", pa.int32()),
        ("tokens", pa.list_(pa.string())),
        ("ids", pa.list_(pa.int32())),
        ("verb", pa.string()),
        ("singular", pa.bool_()),
        ("attractors", pa.int16()),
        ("distance", pa.int16()),
    ]
)
VOCABULARY = pa.schema([("id", pa.int32()), ("word", pa.string()), ("count", pa.int64()), ("noun_number", pa.string())])

_BATCH = 8192  # examples


def extract(source: str | Path, folder: str | Path, corpus: AgreementCorpus) -> Card:
    """Write train.parquet, test.parquet, vocabulary.parquet and card.json into `folder`, all or nothing.

    The source is an annotated corpus (part-*.parquet), a treebank (*.conllu), the sentences of Linzen et al. (*.text
    with *.gold), or a table in their format (*.tsv); the last three plain or compressed. Where the source has no split
    of its own, whole documents go to test in the order of a seeded hash of their names until the share is reached.

    Words are counted in lower case in the training examples. A rarer word becomes `<TAG>`, its part-of-speech tag, or,
    where the source has no tags, one of five unknown words by its form: `<unk-digit>`, `<unk-ing>`, `<unk-ed>`,
    `<unk-s>`, `<unk>`. A tag that no rare word of the training part has becomes `<unk>` too. Id 0 is `<pad>`, which no
    example contains; then come `<unk>`, the other unknown words, and the words by falling count.

    Args:
        source: a corpus, a raw folder, a folder of your own, or one file.
        folder: replaces what was there.
        corpus: how examples are chosen and split; its `source` is not read here.

    Returns:
        the card; its counts name every reason for which an example was left out.

    Raises:
        InputError: a source that is none of these kinds, lacks columns, is malformed,
            or gives no example for train or for test.

    Source: Linzen, Dupoux & Goldberg 2016; Bernardy & Lappin 2022, section 4, for the treatment of rare words.
    """
    source = Path(source)
    card = card_of_source(source)
    left_out = LeftOut(corpus.on_error)
    dropped: Counter = Counter()
    with new_folder(folder) as partial:
        scratch, spill = partial / "examples.parquet", partial / "spill"
        with pq.ParquetWriter(scratch, agreeing_verbs.EXAMPLES, compression="zstd") as writer:
            for table in _examples(source, corpus, dropped, left_out):
                writer.write_table(table)
        with duckdb.connect() as database:
            database.execute("SET threads = 1")
            database.execute(f"SET temp_directory = '{_quoted(spill)}'")
            _split(database, scratch, corpus.test_share, corpus.seed, source)
            vocabulary = _vocabulary(database, corpus.minimum_count)
            pq.write_table(vocabulary, partial / "vocabulary.parquet", compression="zstd")
            counts = _counts(database) | {"vocabulary": vocabulary.num_rows}
            for part in ("train", "test"):
                _write(database, part, vocabulary, partial / f"{part}.parquet")
        scratch.unlink()
        shutil.rmtree(spill, ignore_errors=True)  # there only if the data did not fit in memory
        counts |= {f"dropped_{reason}": number for reason, number in sorted(dropped.items())}
        majority = max(counts["test_singular"], counts["test_examples"] - counts["test_singular"])
        return write_card(
            partial,
            name="agreement",
            description="The words before a present-tense verb, and the number of the verb",
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters=recipe_values(corpus, exclude={"source"}),
            counts=counts | left_out.counts(),
            tools=("duckdb", "pyarrow"),
            notes=[
                f"always the more frequent number: right for {majority / counts['test_examples']:.1%} of test",
                *left_out.notes(),
            ],
        )


def _examples(source: Path, corpus: AgreementCorpus, dropped: Counter, left_out: LeftOut) -> Iterator[pa.Table]:
    """The examples of a source of any kind, with the schema `agreeing_verbs.EXAMPLES`."""
    parquet, treebank, texts, golds, tables = (
        [path for path in files_with(source, suffix) if unpacked_name(path).endswith(suffix)]
        for suffix in (".parquet", ".conllu", ".text", ".gold", ".tsv")
    )
    longest, encoding = corpus.maximum_tokens, corpus.encoding
    if parquet:
        for batch in _sentences(parquet):
            yield agreeing_verbs.find(batch, maximum_tokens=longest, dropped=dropped)
    elif treebank:
        for batch in conllu.record_batches(treebank, on_error=left_out, encoding=encoding):
            yield agreeing_verbs.find(batch, maximum_tokens=longest, dropped=dropped)
    elif len(texts) == len(golds) == 1:
        yield from marked_sentences.read_linzen(
            texts[0], golds[0], maximum_tokens=longest, dropped=dropped, encoding=encoding
        )
    elif len(tables) == 1:
        yield from marked_sentences.read_table(tables[0], maximum_tokens=longest, dropped=dropped, encoding=encoding)
    else:
        names = [source.name] if source.is_file() else sorted(path.name for path in source.iterdir())
        raise InputError(
            f"{source}: expected an annotated corpus (*.parquet), a treebank (*.conllu), one *.text with its *.gold, "
            f"or one *.tsv, found {', '.join(names) or 'nothing'}"
        )


def _sentences(files: list[Path]) -> Iterator[pa.RecordBatch]:
    opened = []
    for path in files:
        try:
            opened.append(pq.ParquetFile(path))
        except pa.ArrowInvalid as error:
            raise InputError(
                f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
            ) from None
        missing = [name for name in agreeing_verbs.COLUMNS if name not in opened[-1].schema_arrow.names]
        if missing:
            raise InputError(
                f"{path}: agreement needs a parsed corpus, but there is no column {', '.join(missing)}; "
                "take an annotated one"
            )
    total = sum(file.metadata.num_rows for file in opened)
    with tqdm(total=total, desc="agreement", unit=" sentences", disable=None) as bar:
        for file in opened:
            for batch in file.iter_batches(_BATCH, columns=list(agreeing_verbs.COLUMNS)):
                yield batch
                bar.update(batch.num_rows)


def _split(database: DuckDBPyConnection, scratch: Path, test_share: float, seed: int, source: str | Path) -> None:
    """Make the view `examples`, whose column `split` is train or test."""
    rank = f"md5('{seed}:' || doc_id)"
    (written,) = as_written([scratch])
    scan = f"read_parquet('{_quoted(written)}')"
    # Documents in the order of their hash, each with the number of examples of those before it.
    ((last,),) = database.execute(
        f"""
        WITH documents AS (SELECT {rank} AS rank, count(*) AS n FROM {scan} WHERE split IS NULL GROUP BY doc_id),
             ordered AS (SELECT rank, sum(n) OVER (ORDER BY rank) - n AS before, sum(n) OVER () AS total FROM documents)
        SELECT coalesce(max(rank), '') FROM ordered WHERE before < {test_share!r} * total
        """
    ).fetchall()
    database.execute(
        f"""
        CREATE VIEW examples AS SELECT * REPLACE (
            coalesce(split, CASE WHEN {rank} <= '{last}' THEN 'test' ELSE 'train' END) AS split
        ) FROM {scan}
        """
    )
    sizes = dict(database.execute("SELECT split, count(*) FROM examples GROUP BY split").fetchall())
    if not sizes.get("train") or not sizes.get("test"):
        raise InputError(
            f"{source}: found {sizes.get('train', 0)} agreement examples for train and {sizes.get('test', 0)} "
            "for test, expected some of both from at least two documents, with verbs that have the tags VBZ and VBP "
            "of the Penn Treebank; take a larger corpus, or one with these tags"
        )


def _vocabulary(database: DuckDBPyConnection, minimum_count: int) -> pa.Table:
    reserved = (PADDING, UNKNOWN, *SUFFIX_CLASSES)
    database.execute(
        f"""
        CREATE VIEW training_words AS
        SELECT unnest(tokens) AS word, unnest(tags) AS tag FROM examples WHERE split = 'train';
        CREATE TABLE vocabulary AS
        SELECT word, count(*) AS n,
            CASE WHEN 2 * count(*) FILTER (tag = 'NN') > n THEN 'singular'
                 WHEN 2 * count(*) FILTER (tag = 'NNS') > n THEN 'plural' END AS noun_number
        FROM training_words WHERE word NOT IN {reserved} GROUP BY word HAVING count(*) >= {minimum_count}
        """
    )
    words = database.execute("SELECT word, n, noun_number FROM vocabulary ORDER BY n DESC, word").fetchall()
    rare = database.execute(
        "SELECT word, tag, count(*) FROM training_words ANTI JOIN vocabulary USING (word) GROUP BY word, tag"
    )
    unknown: Counter = Counter({UNKNOWN: 0})
    while rows := rare.fetchmany(_BATCH):
        for word, tag, number in rows:
            unknown[unknown_word(word, tag)] += number
    ((with_tags,),) = database.execute("SELECT count(*) FROM examples WHERE tags IS NOT NULL").fetchall()
    if not with_tags:
        unknown.update(dict.fromkeys(SUFFIX_CLASSES, 0))
    first = [(PADDING, 0, None), (UNKNOWN, unknown.pop(UNKNOWN), None)]
    first += [(word, number, None) for word, number in sorted(unknown.items())]
    columns = zip(*first, *words, strict=True)
    return pa.table([pa.array(range(len(first) + len(words))), *map(pa.array, columns)], names=VOCABULARY.names).cast(
        VOCABULARY
    )


def _counts(database: DuckDBPyConnection) -> dict[str, int]:
    counts = {}
    for part in ("train", "test"):
        rows = database.execute(
            "SELECT attractors, count(*), count(*) FILTER (singular), sum(len(tokens)) FROM examples WHERE split = ? "
            "GROUP BY attractors ORDER BY attractors",
            [part],
        ).fetchall()
        counts[f"{part}_examples"] = sum(row[1] for row in rows)
        counts[f"{part}_singular"] = sum(row[2] for row in rows)
        counts[f"{part}_tokens"] = int(sum(row[3] for row in rows))
        for attractors, examples, singular, _ in rows:
            counts[f"{part}_with_{attractors}_attractors"] = examples
            counts[f"{part}_with_{attractors}_attractors_singular"] = singular
    return counts


def _write(database: DuckDBPyConnection, part: str, vocabulary: pa.Table, path: Path) -> None:
    words = vocabulary["word"].combine_chunks()
    numbers = {word: number for number, word in enumerate(words.to_pylist()) if word.startswith("<")}
    reader = database.sql(f"SELECT * FROM examples WHERE split = '{part}'").to_arrow_reader(_BATCH)
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for batch in reader:
            tokens = batch["tokens"].flatten()
            ids = pc.fill_null(pc.index_in(tokens, words), -1).to_numpy(zero_copy_only=False).copy()
            rare = np.flatnonzero((ids < 0) | (ids == numbers[PADDING]))
            lengths = pc.list_value_length(batch["tokens"])
            tags = batch["tags"].flatten() if not batch["tags"].null_count else pa.nulls(len(tokens), pa.string())
            ids[rare] = [
                numbers.get(unknown_word(word, tag), numbers[UNKNOWN])
                for word, tag in zip(tokens.take(rare).to_pylist(), tags.take(rare).to_pylist(), strict=True)
            ]
            offsets = pa.array(np.concatenate([[0], np.cumsum(lengths.to_numpy())]), pa.int32())
            columns = {name: batch[name] for name in SCHEMA.names if name != "ids"} | {
                "tokens": pa.ListArray.from_arrays(offsets, words.take(pa.array(ids))),
                "ids": pa.ListArray.from_arrays(offsets, pa.array(ids, pa.int32())),
            }
            writer.write_table(pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA))


def _quoted(path: str | Path) -> str:
    return str(path).replace("'", "''")
