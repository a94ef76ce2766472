"""Conversations as a corpus: `part-*.parquet` has a row for each turn (ROWS), in the order of the conversation.

A pair of a message and its reply is a row and the next one of the same conversation, where both are kept.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.corpora.dialogue.recipes import ConversationSource
from repline.corpora.dialogue.turn_filter import keeps
from repline.corpora.dialogue.turns import READERS
from repline.corpora.parquet import PartWriter
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.reading.settings import recipe_values
from repline.reading.wrong_records import LeftOut
from repline.segmentation.treebank import words

SPLITS = ("train", "dev", "test")
ROWS = pa.schema(
    [
        ("doc_id", pa.string()),  # the conversation
        ("sentence_id", pa.int32()),  # the turn, from 0
        ("tokens", pa.list_(pa.string())),  # in lower case, as in the Penn Treebank
        ("split", pa.string()),  # of the whole conversation: train, dev or test
        ("kept", pa.bool_()),  # by the filter
    ]
)


def write_conversations(folder: str | Path, conversations: ConversationSource, data: str | Path = "data") -> Card:
    """Write `folder`, a corpus of conversations, and its card.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        conversations: a source of them in a folder of `data`, and how it is read.

    Returns:
        the card.

    Raises:
        InputError: a source that is not as described, or one of whose pairs none is left in a split.
    """
    source = Path(data) / conversations.source
    left_out = LeftOut(conversations.on_error)
    dialogues = list(READERS[conversations.form](source, on_error=left_out, encoding=conversations.encoding))
    order = np.random.default_rng(conversations.seed).permutation(len(dialogues))[: conversations.conversations]
    tested = round(conversations.test_share * len(order))
    dev = max(1, round(conversations.dev_share * len(order)))
    split_of = dict.fromkeys(order[:tested].tolist(), "test") | dict.fromkeys(
        order[tested : tested + dev].tolist(), "dev"
    )
    columns: dict[str, list] = {name: [] for name in ROWS.names}
    for number in sorted(order.tolist()):
        for position, turn in enumerate(dialogues[number].turns):
            tokens = [token.lower() for token in words(turn.text)]
            split = split_of.get(number, "train")
            row = (dialogues[number].id, position, tokens, split, keeps(conversations, turn))
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    table = pa.table(columns, schema=ROWS)
    splits = np.array(columns["split"])
    pairs = {split: int((splits[message_rows(table)] == split).sum()) for split in SPLITS}
    if empty := [split for split, count in pairs.items() if not count]:
        dropped = len(table) - sum(columns["kept"])
        settings = (
            f"; longest, letters, begins and author drop {dropped:,} of their {len(table):,} turns" if dropped else ""
        )
        raise InputError(
            f"{source}: expected a pair of message and reply in {empty[0]}, found none in {len(order)} "
            f"conversations{settings}; take more conversations{', or change these settings' if dropped else ''}"
        )
    with new_folder(folder) as partial:
        with PartWriter(partial, ROWS) as writer:
            writer.write(table)
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: conversations",
            description=f"{origin.get('description', origin['name'])}; turns of conversations in order",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=recipe_values(conversations, exclude={"source"}),
            counts={"conversations": len(order), "turns": len(table), "kept": sum(columns["kept"])}
            | {f"{split}_pairs": count for split, count in pairs.items()}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow"),
        )


def read_conversations(folder: str | Path) -> pa.Table:
    """The turns of a corpus (ROWS); InputError where there is none."""
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: expected a corpus of conversations, found no part-*.parquet")
    try:
        return pa.concat_tables(pq.read_table(path, schema=ROWS) for path in paths)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{folder}: this is not a corpus of conversations ({in_one_line(error)}); make it again"
        ) from None


def message_rows(turns: pa.Table) -> NDArray[np.int64]:
    """The rows of turns (ROWS) that have a reply in the next row: the same conversation, and both are kept [P]."""
    if len(turns) < 2:
        return np.zeros(0, np.int64)
    same = pc.equal(turns["doc_id"].slice(0, len(turns) - 1), turns["doc_id"].slice(1)).to_numpy()
    is_kept = turns["kept"].to_numpy()
    return np.flatnonzero(same & is_kept[:-1] & is_kept[1:])
