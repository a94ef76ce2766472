"""Pairs of sentences as a corpus: `part-*.parquet` has a row for each pair (ROWS), with its split.

The files of a source say by their names what they are:

    sick            sick.train.txt, sick.trial.txt (dev), sick.test.txt
    stsb            stsb.train.csv, stsb.dev.csv, stsb.test.csv
    mrpc            mrpc.train.txt, mrpc.test.txt
    counterfactual  counterfactual.train.tsv, counterfactual.dev.tsv, counterfactual.test.tsv
    cqa             cqa.train.1.xml or .csv, cqa.dev.xml, cqa.test.xml, ...
    own             train.tsv, dev.tsv (or valid, validation, val), test.tsv; or NAME.train.pairs.tsv, ...
    wordnet         a wordnet, from which pairs are made (`wordnet_inference`)
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parquet import PartWriter
from repline.corpora.sentence_pairs.community_questions import read_questions
from repline.corpora.sentence_pairs.pair_tables import (
    SentencePair,
    read_counterfactual,
    read_mrpc,
    read_own,
    read_sick,
    read_sts_benchmark,
)
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.corpora.sentence_pairs.wordnet_inference import SPLITS, wordnet_inference
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder
from repline.lexicons.wordnet import storage
from repline.reading.file_names import files_by_name
from repline.reading.settings import PART_NAMES
from repline.reading.text_cleaning import clean_text
from repline.reading.wrong_records import LeftOut
from repline.segmentation import spaced

READERS: dict[str, tuple[str, Callable[..., Iterator[SentencePair]]]] = {
    "sick": (r"sick\.(train|trial|test)\.txt", read_sick),
    "stsb": (r"stsb\.(train|dev|test)\.csv", read_sts_benchmark),
    "mrpc": (r"mrpc\.(train|test)\.txt", read_mrpc),
    "counterfactual": (r"counterfactual\.(train|dev|test)\.tsv", read_counterfactual),
    "cqa": (r"cqa\.(train|dev|test)(?:\.\d+)?\.(?:xml|csv)", read_questions),
    "own": (rf"(?:[^.]+\.(?=\w+\.pairs))?({'|'.join(PART_NAMES)})(?:\.pairs)?\.tsv", read_own),
}
FILES = {  # in words, what the patterns match
    "sick": "sick.train.txt, sick.trial.txt and sick.test.txt",
    "stsb": "stsb.train.csv, stsb.dev.csv and stsb.test.csv",
    "mrpc": "mrpc.train.txt and mrpc.test.txt",
    "counterfactual": "counterfactual.train.tsv, counterfactual.dev.tsv and counterfactual.test.tsv",
    "cqa": "cqa.train.1.xml (or .csv), cqa.dev.xml and cqa.test.xml",
    "own": "train.tsv, dev.tsv and test.tsv, or NAME.train.pairs.tsv, ...",
}
ROWS = pa.schema(
    [
        ("pair_id", pa.string()),
        ("split", pa.string()),  # train, dev or test
        ("group", pa.string()),  # of pairs that belong together, or the genre of the STS Benchmark, else empty
        ("text_a", pa.string()),
        ("text_b", pa.string()),
        ("tokens_a", pa.list_(pa.string())),  # by spaCy's rules for English, in the case of the source
        ("tokens_b", pa.list_(pa.string())),
        ("label", pa.string()),
        ("score", pa.float64()),
    ]
)


def write_pairs(source: str | Path, folder: str | Path, corpus: PairCorpus) -> Card:
    """Write `folder`, a corpus of sentence pairs, and its card.

    Args:
        source: a folder with files as above, or a wordnet.
        folder: replaces what was there; it appears whole or not at all.
        corpus: how the source is read.

    Returns:
        the card.

    Raises:
        InputError: no file of that form, a line that is not as described, or too few nouns in a wordnet.
    """
    is_wordnet, left_out = corpus.form == "wordnet", LeftOut(corpus.on_error)
    pairs = list(
        wordnet_inference(storage.read(source), corpus.made) if is_wordnet else _read(source, corpus, left_out)
    )
    if corpus.dev_share and not any(split == "dev" for split, _ in pairs):
        pairs = _with_dev(pairs, corpus.dev_share, corpus.seed)
    words = spaced.segmenter("en")
    with new_folder(folder) as partial:
        columns: dict[str, list] = {name: [] for name in ROWS.names}
        for split, pair in pairs:
            texts = [clean_text(text, left_out.invisible) for text in (pair.first, pair.second)]
            tokens = [words(text)["tokens"] for text in texts]
            row = (pair.id, split, pair.group, *texts, *tokens, pair.label, pair.score)
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
        with PartWriter(partial, ROWS) as writer:
            writer.write(pa.table(columns, schema=ROWS))
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: sentence pairs",
            description=f"{origin.get('description', origin['name'])}; as pairs of sentences",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=corpus.model_dump(include={"form", "dev_share", "seed", *(["made"] if is_wordnet else [])})
            | corpus.reading(),
            counts={split: columns["split"].count(split) for split in SPLITS}
            | {f"label_{label}": columns["label"].count(label) for label in sorted({*columns["label"]} - {None})}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow", "spacy"),
        )


def read_pair_corpus(folder: str | Path, split: str | None = None) -> pa.Table:
    """The pairs of a corpus (ROWS), all or those of a split.

    Raises:
        InputError: there is no such corpus, or the split has no pairs.
    """
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: expected a corpus of sentence pairs, found no part-*.parquet")
    try:
        table = pa.concat_tables(pq.read_table(path, schema=ROWS) for path in paths)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{folder}: this is not a corpus of sentence pairs ({in_one_line(error)}); make it again"
        ) from None
    if split is not None:
        table = table.filter(pc.field("split") == split)
        if not table.num_rows:
            raise InputError(f"{folder}: there is no pair in the split {shown(split)}")
    return table


def _read(source: str | Path, corpus: PairCorpus, left_out: LeftOut) -> Iterator[tuple[str, SentencePair]]:
    pattern, reader = READERS[corpus.form]
    named = [(re.fullmatch(pattern, name), name, path) for name, path in files_by_name(source).items()]
    files = [(PART_NAMES.get(match[1], "dev"), path) for match, _, path in named if match]  # SICK's dev is called trial
    others = [path for match, name, path in named if not match and name.endswith(".pairs.tsv")]
    if corpus.form == "own" and others:
        raise InputError(f"{others[0]}: expected the name NAME.PART.pairs.tsv with a part of {', '.join(PART_NAMES)}")
    if not files:
        raise InputError(f"{source}: expected {FILES[corpus.form]}, found none of them")
    for split in SPLITS:
        for part, path in files:
            if part == split:
                yield from ((split, pair) for pair in reader(path, on_error=left_out, encoding=corpus.encoding))


def _with_dev(pairs: list[tuple[str, SentencePair]], share: float, seed: int) -> list[tuple[str, SentencePair]]:
    """With a share of the groups of train as dev; a pair without a group is one of its own."""
    groups = [pair.group or f"pair {number}" for number, (_, pair) in enumerate(pairs)]
    train = sorted({group for group, (split, _) in zip(groups, pairs, strict=True) if split == "train"})
    dev_rows = set(np.random.default_rng(seed).permutation(train)[: round(share * len(train))].tolist())
    moved = [
        ("dev" if split == "train" and group in dev_rows else split, pair)
        for group, (split, pair) in zip(groups, pairs, strict=True)
    ]
    return sorted(moved, key=lambda row: SPLITS.index(row[0]))
