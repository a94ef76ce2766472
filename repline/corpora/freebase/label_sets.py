"""Label sets: single-word names with their types, frequent in a corpus, split into train, dev and test.

names.parquet   `name`, `types` (sorted), `frequency` (null where unknown), `split`; in random order, part by part
types.parquet   `type`, `names`: the types, and how many single-word names had each before any was left out
card.json

Source: Yaghoobzadeh, Kann & Schütze 2018, section 5; github.com/yyaghoobzadeh/name_typing for the released files.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.freebase.recipes import LabelSet
from repline.errors import InputError, in_one_line, shown
from repline.files import as_written, new_folder
from repline.lexicons.unigrams import UNIGRAMS, read_unigrams
from repline.parameters import Json
from repline.reading.table_fields import unquoted
from repline.reading.table_heads import below_head, is_head
from repline.reading.text_files import numbered_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.vectors.tokens import Tokens

SPLITS = ("train", "dev", "test")
HEADS = [("name", "types"), ("name", "type")]  # of a user's table
LABELS = pa.schema(
    [("name", pa.string()), ("types", pa.list_(pa.string())), ("frequency", pa.float64()), ("split", pa.string())]
)
_COUNTED = "select type, count(*) as names from (select unnest(types) as type from read_parquet($files)) group by type"
_FREQUENT = """
    select name, types, count as frequency from read_parquet($files) join frequencies on name = word
    where count >= $minimum order by name
"""


def write_label_set(folder: str | Path, label_set: LabelSet, data: str | Path = "data") -> Card:
    """Draw the single-word names of a folder of names by types, or take over the paper's released files.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        label_set: folders of `data`, and what is drawn of them.

    Returns:
        The card.

    Raises:
        InputError: a source that is neither, no frequent name, fewer names than `size`, or shares that do not sum to 1.
    """
    source, shares = Path(data) / label_set.source, label_set.shares
    if any((source / f"train.tsv{packed}").is_file() for packed in ("", ".gz")):
        labels, counted = _released(source)
        origins, parameters = [card_or_files(source)], {}
    else:
        if label_set.frequencies is None:
            raise InputError(
                f"{source}: names by types need word frequencies; set frequencies to a corpus or a list of counts"
            )
        if not np.isclose(sum(shares), 1):
            raise InputError(
                f"expected shares of train, dev and test that sum to 1, found {', '.join(map(str, shares))}"
            )
        files = {"files": as_written(sorted(source.glob("single-*.parquet")))}
        if not files["files"]:
            raise InputError(f"{source}: expected single-*.parquet, or train.tsv, dev.tsv, test.tsv and types.tsv")
        frequencies = Path(data) / label_set.frequencies
        with duckdb.connect(config={"threads": 1}) as database:
            database.register("frequencies", _frequencies(frequencies))
            counted = dict(database.sql(_COUNTED, params=files).fetchall())
            frequent_names = database.sql(_FREQUENT, params=files | {"minimum": label_set.minimum}).to_arrow_table()
        labels, counted = _drawn(frequent_names, counted, label_set)
        origins = [card_or_files(path) for path in (source, frequencies)]
        parameters = label_set.model_dump(exclude={"source", "frequencies"})
    per_split = Counter(labels["split"].to_pylist())
    pairs = len(labels["types"].combine_chunks().flatten())
    with new_folder(folder) as partial:
        pq.write_table(labels, partial / "names.parquet", compression="zstd")
        order = sorted(counted, key=lambda kind: (-counted[kind], kind))
        pq.write_table(pa.table({"type": order, "names": [counted[kind] for kind in order]}), partial / "types.parquet")
        return write_card(
            partial,
            name=f"{origins[0]['name']}: label set",
            description="Single-word names with the types of all that bear them, split",
            licence="; ".join(dict.fromkeys(str(origin["licence"]) for origin in origins)),
            sources=[{"corpus": origin} for origin in origins],
            parameters=parameters,
            counts={"names": len(labels), "types": len(counted), "pairs": pairs}
            | {split: per_split[split] for split in SPLITS},
            tools=["duckdb", "numpy", "pyarrow"],
        )


def write_own_label_set(
    path: str | Path,
    folder: str | Path,
    *,
    least: int = 1,
    seed: int = 0,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> None:
    """Write the names of a user's table as a label set: half of them train, a fifth dev, the rest test.

    Args:
        path: a name, a tab and its types between blanks a line, perhaps below a head (name, types); blanks inside a
            name become `_`, as vectors have them.
        folder: replaces what was there; it appears whole or not at all.
        least: names that a type has to have.
        seed: of the split.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: there is no such file, a line is not as described, a name is there twice, or too few names are left.
    """
    rows: dict[str, list[str]] = {}
    left_out = LeftOut.of(on_error)
    lines = visible_lines(path, encoding, left_out)
    for number, line in below_head(path, lines, left_out, lambda line: is_head("auto", line.split("\t"), HEADS)):
        name, _, kinds = (unquoted(field.strip()) for field in line.partition("\t"))
        word = "_".join(name.split())
        if not word or not kinds.split():
            problem = f"expected a name, a tab and types, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no name with types"))
            continue
        if word in rows:
            problem = f"the name {shown(name)} is there twice"
            left_out.add(WrongRecord(path, f"line {number}", problem, "a name twice"))
            continue
        rows[word] = sorted(set(kinds.split()))
    counted = Counter(kind for kinds in rows.values() for kind in kinds)
    table = pa.table({"name": list(rows), "types": list(rows.values()), "frequency": [0.0] * len(rows)})
    label_set = LabelSet(source=str(path), types=max(len(counted), 1), least=least, seed=seed)
    try:
        labels, among = _drawn(table, counted, label_set)
    except InputError:
        raise InputError(
            f"{path}: expected {len(SPLITS)} names at least that have a type of {least} names, found fewer"
        ) from None
    with new_folder(folder) as partial:
        pq.write_table(labels, partial / "names.parquet", compression="zstd")
        order = sorted(among, key=lambda kind: (-among[kind], kind))
        pq.write_table(pa.table({"type": order, "names": [among[kind] for kind in order]}), partial / "types.parquet")


def _frequencies(source: Path) -> pa.Table:
    """`word` and `count`, in lower case, of a corpus or of a list."""
    if any(source.glob("part-*.parquet")):
        words, counts = Tokens(source).vocabulary()
        return pa.table({"word": words, "count": counts.astype(float)}, schema=UNIGRAMS)
    files = [source] if source.is_file() else [path for path in sorted(source.glob("*")) if path.name != "card.json"]
    if len(files) != 1:
        raise InputError(f"{source}: expected a corpus, or a folder with one list of words and counts")
    with duckdb.connect(config={"threads": 1}) as database:
        database.register("listed", read_unigrams(files[0]))
        return database.sql("select lower(word) as word, sum(count) as count from listed group by 1").to_arrow_table()


def _drawn(names: pa.Table, counted: dict[str, int], label_set: LabelSet) -> tuple[pa.Table, dict[str, int]]:
    """The label set, and its types with their counts."""
    size, least = label_set.names, label_set.least
    types = set(sorted(counted, key=lambda kind: (-counted[kind], kind))[: label_set.types])
    among = Counter(kind for kinds in names["types"].to_pylist() for kind in kinds)
    types = {kind for kind in types if among[kind] >= least}
    rows = names.to_pylist()
    for row in rows:
        row["types"] = sorted(types & set(row["types"]))
    rows = [row for row in rows if row["types"]]
    if len(rows) < max(size or 0, len(SPLITS)):
        raise InputError(
            f"expected {max(size or 0, len(SPLITS))} names that are frequent enough and have a type of at least "
            f"{least} names, found {len(rows)}; lower minimum, least or names"
        )
    order = np.random.default_rng(label_set.seed).permutation(len(rows))[:size]
    ends = np.round(np.cumsum(label_set.shares) * len(order)).astype(int)
    splits = np.array(SPLITS)[np.searchsorted(ends[:-1], np.arange(len(order)), side="right")]
    labelled = [rows[row] | {"split": split} for row, split in zip(order.tolist(), splits.tolist(), strict=True)]
    return pa.Table.from_pylist(labelled, schema=LABELS), {kind: counted[kind] for kind in types}


def _released(source: Path) -> tuple[pa.Table, dict[str, int]]:
    """The names and splits of the files, and the types with the counts of types.tsv."""
    counted: dict[str, int] = {}
    for number, line, path in _lines(source, "types"):
        kind, _, count = line.partition("\t")
        if not kind.strip() or not count.isdecimal():
            raise InputError(f"{path}, line {number}: expected a type, a tab and its count, found {shown(line)}")
        counted[kind] = int(count)
    rows: list[dict[str, Json]] = []
    seen: dict[str, str] = {}
    for split in SPLITS:
        for number, line, path in _lines(source, split):
            name, _, kinds = line.partition("\t")
            types = kinds.split(" ")
            if not name or not set(types) <= counted.keys() or len(set(types)) != len(types):
                raise InputError(
                    f"{path}, line {number}: expected a name, a tab and types of types.tsv, found {shown(line)}"
                )
            if name in seen:
                raise InputError(f"{path}, line {number}: the name {shown(name)} is there twice, first in {seen[name]}")
            seen[name] = split
            rows.append({"name": name, "types": sorted(types), "split": split})
    return pa.Table.from_pylist(rows, schema=LABELS), counted


def _lines(source: Path, name: str) -> Any:
    path = source / f"{name}.tsv"
    if not path.is_file() and path.with_suffix(".tsv.gz").is_file():
        path = path.with_suffix(".tsv.gz")
    return ((number, line, path) for number, line in numbered_lines(path) if line.strip())


def read_label_set(folder: str | Path) -> tuple[pa.Table, list[str]]:
    """The names of a folder that `write_label_set` wrote, with the schema LABELS, and the types in their order.

    Raises:
        InputError: the folder is no label set.
    """
    folder = Path(folder)
    try:
        names = pq.read_table(folder / "names.parquet", schema=LABELS)
        return names, pq.read_table(folder / "types.parquet")["type"].to_pylist()
    except (FileNotFoundError, KeyError, pa.ArrowException) as error:
        raise InputError(f"{folder}: this is no label set ({in_one_line(error)}); run `dvc repro` for it") from None
