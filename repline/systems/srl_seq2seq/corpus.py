"""Prepare instances (a sentence and one predicate each), the vocabulary and its vectors, as one folder.

instances.parquet   split, name, tokens, tag, predicate, arguments, in the order of the corpus
words.parquet       word, count: the vocabulary V, the most frequent first
vectors.npy         float32 [V, e], where the corpus is pretrained
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.corpora.srl.linearisation import MARK, source_of, target_of
from repline.corpora.srl.propositions import PREDICATE, SPLITS, Argument, RoleSentence
from repline.corpora.srl.role_corpus import ARGUMENT, read_roles
from repline.errors import InputError, count_remedy
from repline.files import new_folder
from repline.systems.srl_seq2seq.settings import Corpus
from repline.vectors.store import words_and_matrix

ROWS = pa.schema(
    [
        ("split", pa.string()),
        ("name", pa.string()),  # document-sentence:word of the predicate, counted from 1; no word without one
        ("tokens", pa.list_(pa.string())),
        ("tag", pa.list_(pa.string())),
        ("predicate", pa.int32()),  # null in a sentence without
        ("arguments", pa.list_(ARGUMENT)),
    ]
)


class Instance(NamedTuple):
    """A sentence and one of its predicates, or none; the span of the predicate is among the arguments, labelled V."""

    name: str
    tokens: list[str]
    tags: list[str] | None
    predicate: int | None
    arguments: list[Argument]

    @property
    def sentence(self) -> str:
        """The document and the number of the sentence, which all instances of the sentence share."""
        return self.name if self.predicate is None else self.name.rpartition(":")[0]

    @property
    def source(self) -> list[str]:
        """The tokens that an encoder reads: the words, with a mark before the predicate."""
        return source_of(self.tokens, self.predicate)

    @property
    def target(self) -> list[str]:
        """The tokens that a decoder is to write: the words with the brackets of roles."""
        return target_of(self.tokens, self.arguments)


class InstanceRow(TypedDict):
    """An instance as ROWS has it."""

    split: str
    arguments: list[dict[str, str | int]]
    name: str
    tokens: list[str]
    tag: list[str] | None
    predicate: int | None


class Data(NamedTuple):
    """The instances, the vocabulary and its vectors that `write_data` wrote.

    Attributes:
        instances: by split.
        words: V; vectors: [V, e], or None where they begin at random.
    """

    instances: dict[str, list[Instance]]
    words: list[str]
    vectors: NDArray[np.float32] | None

    @property
    def labels(self) -> list[str]:
        """Role labels of the training split, plus V."""
        return sorted(
            {argument.label for instance in self.instances["train"] for argument in instance.arguments} | {PREDICATE}
        )


def write_data(folder: str | Path, corpus: Corpus, vectors: str | Path, data: str | Path = "data") -> Card:
    """Write `folder`, and return its card.

    Args:
        folder: replaces what was there.
        corpus: which instances; its roles are a folder of `data`.
        vectors: of words, a folder of `data`; only words that have one are known, if `corpus.pretrained`.

    Raises:
        InputError: no corpus, no instance in a split, no known word, or `verbs` for a sentence without tags.
    """
    roles, vectors = Path(data) / corpus.roles, Path(data) / vectors
    sizes = {"train": corpus.train, "dev": corpus.dev, "test": corpus.test}
    instances: dict[str, list[Instance]] = {split: [] for split in SPLITS}
    dropped = Counter[str]()
    for sentence in read_roles(roles):
        if not corpus.shortest <= len(sentence.tokens) <= (corpus.longest or len(sentence.tokens)):
            continue
        split_instances = instances[sentence.split]
        bare = corpus.without_predicate and sentence.split == "train"
        for instance in _instances(sentence, corpus.verbs, bare, roles, dropped):
            if len(split_instances) == sizes[sentence.split]:
                break
            longest = corpus.longest_target if sentence.split == "train" else None
            if longest is not None and len(instance.target) > longest:
                dropped["too_long"] += 1
                continue
            split_instances.append(instance)
    for split, split_instances in instances.items():
        if not split_instances:
            raise InputError(
                f"{roles}: expected instances in {split} of the sizes and predicates that are asked for, found none; "
                "train, dev and test are all needed"
            )
    words, counts, matrix = _vocabulary(
        instances["train"], corpus.minimum_count, vectors if corpus.pretrained else None
    )
    if not words and max(counts.values()) < corpus.minimum_count:
        raise InputError(
            f"{roles}: expected words that occur {corpus.minimum_count} times or more in train, found none; "
            f"{count_remedy(corpus.minimum_count, 'more sentences')}"
        )
    if not words:
        raise InputError(f"{vectors}: none of the words of train has a vector; take vectors of its language")
    known_words = set(words)
    with new_folder(folder) as partial:
        rows = [_row(split, row) for split, split_instances in instances.items() for row in split_instances]
        pq.write_table(pa.Table.from_pylist(rows, ROWS), partial / "instances.parquet", compression="zstd")
        table = pa.table({"word": words, "count": [counts[word] for word in words]})
        pq.write_table(table, partial / "words.parquet", compression="zstd")
        if matrix is not None:
            np.save(partial / "vectors.npy", matrix)
        origin = card_or_files(roles)
        test_words = [token for test in instances["test"] for token in test.source if token != MARK]
        return write_card(
            partial,
            name=Path(folder).name,
            description="Sentences with one predicate each and its arguments, and the words that models know",
            licence=str(origin["licence"]),
            sources=[{"corpus": origin}] + ([{"corpus": card_or_files(vectors)}] if corpus.pretrained else []),
            parameters=corpus.model_dump(exclude={"roles", "pretrained"}),
            counts={split: len(split_instances) for split, split_instances in instances.items()}
            | {"words": len(words), "test_words": len(test_words)}
            | {"unknown_test_words": sum(word not in known_words for word in test_words)}
            | {name: dropped[name] for name in ("too_long", "without_argument", "no_verb")},
            tools=("numpy", "pyarrow"),
        )


def read_data(folder: str | Path) -> Data:
    """Read the folder that `write_data` wrote; InputError where there is none."""
    folder = Path(folder)
    if not (folder / "instances.parquet").exists():
        raise InputError(f"{folder}: expected instances.parquet, found none; run `dvc repro` for it")
    instances: dict[str, list[Instance]] = {split: [] for split in SPLITS}
    for row in pq.read_table(folder / "instances.parquet").to_pylist():
        arguments = [Argument(**argument) for argument in row["arguments"]]
        instance = Instance(row["name"], row["tokens"], row["tag"], row["predicate"], arguments)
        instances[row["split"]].append(instance)
    vectors = folder / "vectors.npy"
    return Data(
        instances,
        pq.read_table(folder / "words.parquet")["word"].to_pylist(),
        np.load(vectors, allow_pickle=False) if vectors.exists() else None,
    )


def _instances(
    sentence: RoleSentence, verbs: bool, bare: bool, roles: str | Path, dropped: Counter[str]
) -> Iterator[Instance]:
    name = f"{sentence.doc_id}-{sentence.sentence_id + 1}"
    if verbs and sentence.tags is None:
        raise InputError(f"{roles}: {sentence.split}, {name} has no tags, so which predicates are verbs is not known")
    if bare and not sentence.propositions:
        yield Instance(name, sentence.tokens, sentence.tags, None, [])
    for proposition in sentence.propositions:
        if sentence.tags is not None and verbs and not sentence.tags[proposition.predicate].startswith("VB"):
            dropped["no_verb"] += 1
        elif verbs and len(proposition.arguments) == 1:
            dropped["without_argument"] += 1
        else:
            proposition_name = f"{name}:{proposition.predicate + 1}"
            yield Instance(
                proposition_name, sentence.tokens, sentence.tags, proposition.predicate, list(proposition.arguments)
            )


def _vocabulary(
    train: list[Instance], minimum_count: int, vectors: str | Path | None
) -> tuple[list[str], Counter[str], NDArray[np.float32] | None]:
    counts = Counter(token for instance in train for token in instance.source if token != MARK)
    words = sorted((word for word in counts if counts[word] >= minimum_count), key=lambda word: (-counts[word], word))
    if vectors is None:
        return words, counts, None
    names, matrix = words_and_matrix(vectors)
    frequent_words = set(words)
    row_of = {name: row for row, name in enumerate(names) if name in frequent_words}
    words = [word for word in words if word in row_of]
    return words, counts, np.asarray(matrix[[row_of[word] for word in words]], np.float32)


def _row(split: str, instance: Instance) -> InstanceRow:
    arguments = [argument._asdict() for argument in instance.arguments]
    return {
        "split": split,
        "arguments": arguments,
        "name": instance.name,
        "tokens": instance.tokens,
        "tag": instance.tags,
        "predicate": instance.predicate,
    }
