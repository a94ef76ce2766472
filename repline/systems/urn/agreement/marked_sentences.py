"""Agreement examples that others have marked: the sentences of Linzen et al. (2016), and tables in their format."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pyarrow as pa

from repline.errors import InputError, readable, shown
from repline.reading.text_files import numbered_lines
from repline.systems.urn.agreement.agreeing_verbs import EXAMPLES

TABLE_COLUMNS = ("sentence", "verb_index", "verb_pos")
COUNTS = ("n_diff_intervening", "distance")  # columns that a table may have

_ROWS = 10_000  # examples in one table
_S_FORMS = ("is", "has", "does")


def read_linzen(
    text: str | Path, gold: str | Path, *, maximum_tokens: int, dropped: Counter, encoding: str = "utf-8"
) -> Iterator[pa.Table]:
    """Sentences and marked verbs from two files of equal length, plain or compressed.

    A line of `text` is a tokenised sentence that ends in `<eos>`; the same line of `gold` has, separated by tabs, the
    verb's index (from 0), its right form, its wrong form, and the number of attractors. The verb is singular iff its
    right form is an -s form: is, has, does, or else the longer of the two and ending in -s. Each line is a document.

    Args:
        text, gold: the files.
        maximum_tokens: longer sentences, `<eos>` not counted, are left out.
        dropped: rows that were left out are added here by reason: `long_sentence`, or `verb_not_at_index` where the
            token at the index is not the right form.
        encoding: of files without a byte order mark.

    Returns:
        tables with the schema EXAMPLES; `tags` and `distance` are null.

    Raises:
        InputError: files of different length, or a row of `gold` that is not as described, naming the line.

    Source: Gulordava et al. 2018 for the format; Linzen, Dupoux & Goldberg 2016 for the sentences.
    """

    def rows() -> Iterator[dict]:
        for sentence_line, gold_line in zip_longest(numbered_lines(text, encoding), numbered_lines(gold, encoding)):
            if sentence_line is None or gold_line is None:
                shorter, longer = (text, gold) if sentence_line is None else (gold, text)
                number = (sentence_line or gold_line)[0]
                raise InputError(f"{shorter}: ends before line {number}, but {longer} goes on; expected as many lines")
            number, line = gold_line
            fields = line.split("\t")
            if len(fields) != 4 or not (fields[0].isdecimal() and fields[3].isdecimal() and fields[1] and fields[2]):
                raise InputError(
                    f"{gold}, line {number}: expected index, right form, wrong form and attractors separated by tabs, "
                    f"found {shown(line)}"
                )
            tokens = sentence_line[1].split()
            index, right_form, wrong_form, attractors = int(fields[0]), fields[1], fields[2], int(fields[3])
            if len(tokens) - (tokens[-1:] == ["<eos>"]) > maximum_tokens:
                dropped["long_sentence"] += 1
            elif index == 0 or tokens[index : index + 1] != [right_form]:
                dropped["verb_not_at_index"] += 1
            else:
                singular = right_form.lower() in _S_FORMS or (
                    right_form.endswith("s") and len(right_form) > len(wrong_form)
                )
                yield _example(str(number), tokens[:index], right_form, singular, attractors)

    return _tables(rows())


def read_table(
    path: str | Path, *, maximum_tokens: int, dropped: Counter, encoding: str = "utf-8"
) -> Iterator[pa.Table]:
    """Sentences and marked verbs from a tab-separated table with a heading, plain or compressed.

    The columns used are `sentence` (tokens separated by spaces), `verb_index` (from 1), `verb_pos` (VBZ or VBP), and,
    where there are any, `n_diff_intervening` (attractors; else 0), `pos_sentence` (a tag for each token), `distance`,
    and `split` (train or test; without it each line is a document of its own). These are the names of the table of
    Linzen et al.; other columns are not read.

    Args:
        path: the table.
        maximum_tokens: longer sentences are left out.
        dropped: rows that were left out are added here, as `long_sentence`.
        encoding: of a file without a byte order mark.

    Returns:
        tables with the schema EXAMPLES.

    Raises:
        InputError: a column is missing, or a row is not as described, naming the line.

    Source: Linzen, Dupoux & Goldberg 2016.
    """

    def rows() -> Iterator[dict]:
        lines = numbered_lines(path, encoding)
        heading = next(lines, (1, ""))[1].split("\t")
        missing = [name for name in TABLE_COLUMNS if name not in heading]
        if missing:
            raise InputError(f"{path}: expected the columns {', '.join(missing)}, found {readable(', '.join(heading))}")
        for number, line in lines:
            fields = line.split("\t")
            line_name = f"{path}, line {number}"
            if len(fields) != len(heading):
                raise InputError(f"{line_name}: expected {len(heading)} fields as in the heading, found {len(fields)}")
            row = dict(zip(heading, fields, strict=True))
            tokens = row["sentence"].split(" ")
            if not row["verb_index"].isdecimal() or not 2 <= int(row["verb_index"]) <= len(tokens):
                raise InputError(
                    f"{line_name}: verb_index should be 2 to {len(tokens)}, found {shown(row['verb_index'])}"
                )
            if row["verb_pos"] not in ("VBZ", "VBP"):
                raise InputError(f"{line_name}: verb_pos should be VBZ or VBP, found {shown(row['verb_pos'])}")
            for name in COUNTS:
                if not row.get(name, "0").isdecimal():
                    raise InputError(f"{line_name}: {name} should be a count, found {shown(row[name])}")
            tags = row["pos_sentence"].split(" ") if "pos_sentence" in row else None
            if tags and len(tags) != len(tokens):
                raise InputError(
                    f"{line_name}: expected a tag in pos_sentence for each of {len(tokens)} tokens, found {len(tags)}"
                )
            if row.get("split", "train") not in ("train", "test"):
                raise InputError(f"{line_name}: split should be train or test, found {shown(row['split'])}")
            if len(tokens) > maximum_tokens:
                dropped["long_sentence"] += 1
                continue
            index = int(row["verb_index"]) - 1
            yield _example(
                str(number - 1),
                tokens[:index],
                tokens[index],
                row["verb_pos"] == "VBZ",
                int(row.get("n_diff_intervening", 0)),
                split=row.get("split"),
                tags=tags and tags[:index],
                distance=int(row["distance"]) if "distance" in row else None,
            )

    return _tables(rows())


def _example(doc_id: str, tokens: list[str], verb: str, singular: bool, attractors: int, **more) -> dict:
    example = {"doc_id": doc_id, "sentence_id": 0, "tokens": [token.lower() for token in tokens]}
    return example | {"verb": verb.lower(), "singular": singular, "attractors": attractors} | more


def _tables(rows: Iterator[dict]) -> Iterator[pa.Table]:
    waiting = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == _ROWS:
            yield pa.Table.from_pylist(waiting, EXAMPLES)
            waiting = []
    if waiting:
        yield pa.Table.from_pylist(waiting, EXAMPLES)
