"""A corpus of sentences with semantic roles: `part-*.parquet` has a row for each sentence (ROWS)."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parquet import PartWriter
from repline.corpora.srl.propositions import SPLITS, Argument, Proposition, RoleSentence
from repline.corpora.srl.role_files import read_role_files, read_words
from repline.errors import InputError, in_one_line, readable, shown
from repline.files import new_folder
from repline.parameters import Json
from repline.reading.settings import Reading
from repline.reading.wrong_records import LeftOut, WrongRecord

ARGUMENT = pa.struct([("label", pa.string()), ("first", pa.int32()), ("last", pa.int32())])
PROPOSITION = pa.struct([("predicate", pa.int32()), ("roleset", pa.string()), ("arguments", pa.list_(ARGUMENT))])
ROWS = pa.schema(
    [
        ("doc_id", pa.string()),
        ("sentence_id", pa.int32()),
        ("split", pa.string()),  # train, dev or test
        ("tokens", pa.list_(pa.string())),
        ("tag", pa.list_(pa.string())),  # null where the source has none
        ("propositions", pa.list_(PROPOSITION)),
    ]
)
SENTENCES_IN_MEMORY = 4096
BY_DEFAULT = Reading()


class ArgumentRow(TypedDict):
    """A labelled span as ARGUMENT has it."""

    label: str
    first: int
    last: int


class PropositionRow(TypedDict):
    """A predicate and its arguments as PROPOSITION has them."""

    predicate: int
    roleset: str
    arguments: list[ArgumentRow]


class RoleRow(TypedDict):
    """A sentence as ROWS has it."""

    doc_id: str
    sentence_id: int
    split: str
    tokens: list[str]
    tag: list[str] | None
    propositions: list[PropositionRow]


def write_roles(source: str | Path, folder: str | Path, reading: Reading = BY_DEFAULT) -> Card:
    """Write `folder`, a corpus of sentences with roles, and its card.

    Args:
        source: a folder with files of roles, or one such file (`role_files`). Tags come from CoNLL-U files there,
            where there are some.
        folder: replaces what was there; it appears whole or not at all.
        reading: what a wrong sentence does, and the encoding of the files.

    Returns:
        the card.

    Raises:
        InputError: as `read_role_files`; a sentence that is there twice; or no sentence.
    """
    left_out = LeftOut(reading.on_error)
    words_by_sentence = read_words(source, reading.encoding)
    counts = dict.fromkeys([*SPLITS, "words", "predicates", "arguments", "tagged"], 0)
    seen: set[tuple[str, int, str]] = set()
    rows: list[dict[str, Json]] = []
    with new_folder(folder) as partial:
        with PartWriter(partial, ROWS) as writer:
            for sentence in read_role_files(source, words_by_sentence, on_error=left_out, encoding=reading.encoding):
                name = (sentence.doc_id, sentence.sentence_id, sentence.split)
                if name in seen:
                    where = f"sentence {name[1] + 1} of {shown(name[0])}"
                    left_out.add(WrongRecord(source, where, f"it is in {name[2]} twice", "a sentence twice"))
                    continue
                seen.add(name)
                counts[sentence.split] += 1
                counts["words"] += len(sentence.tokens)
                counts["predicates"] += len(sentence.propositions)
                counts["arguments"] += sum(len(proposition.arguments) for proposition in sentence.propositions)
                counts["tagged"] += sentence.tags is not None
                rows.append(_row(sentence))
                if len(rows) == SENTENCES_IN_MEMORY:
                    writer.write(pa.Table.from_pylist(rows, ROWS))
                    rows = []
            if not seen:
                raise InputError(f"{source}: there is no sentence in the files of roles")
            writer.write(pa.Table.from_pylist(rows, ROWS))
        notes = left_out.notes()
        if words_by_sentence is not None:
            counts["without_roles"] = len(words_by_sentence) - len(seen)
            notes = [f"{counts['without_roles']} sentences of the words have no line of roles", *notes]
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: semantic roles",
            description=f"{origin.get('description', origin['name'])}; sentences with predicates and arguments",
            licence=str(origin["licence"]),
            sources=[{"corpus": origin}],
            parameters=reading.reading(),
            counts=counts | left_out.counts(),
            notes=notes,
        )


def read_roles(folder: str | Path, split: str | None = None) -> Iterator[RoleSentence]:
    """The sentences of a corpus, all or those of a split, in its order.

    Raises:
        InputError: there is no such corpus.
    """
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(
            f"{folder}: expected a corpus of semantic roles, found no part-*.parquet; run `dvc repro` for it"
        )
    for path in paths:
        try:
            file = pq.ParquetFile(path)
            if file.schema_arrow.names != ROWS.names:
                columns = readable(", ".join(file.schema_arrow.names))
                raise InputError(f"{path}: expected the columns {', '.join(ROWS.names)}, found {columns}")
            for batch in file.iter_batches(batch_size=SENTENCES_IN_MEMORY):
                for row in batch.to_pylist():
                    if split in (None, row["split"]):
                        yield _sentence(row)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{path}: this is not a corpus of semantic roles ({in_one_line(error)}); make it again"
            ) from None


def _row(sentence: RoleSentence) -> dict[str, Json]:
    frames = [
        {
            "predicate": proposition.predicate,
            "roleset": proposition.roleset,
            "arguments": [span._asdict() for span in proposition.arguments],
        }
        for proposition in sentence.propositions
    ]
    fields = sentence._asdict()
    fields["tag"] = fields.pop("tags")
    return fields | {"propositions": frames}


def _sentence(row: RoleRow) -> RoleSentence:
    propositions = [
        Proposition(stored["predicate"], stored["roleset"], tuple(Argument(**span) for span in stored["arguments"]))
        for stored in row["propositions"]
    ]
    return RoleSentence(row["doc_id"], row["sentence_id"], row["split"], row["tokens"], row["tag"], propositions)
