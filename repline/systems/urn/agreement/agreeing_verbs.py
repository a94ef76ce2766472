"""Which finite verbs of a parsed sentence agree with a common noun before them, and what stands in between.

A dependency is taken when all of this holds:

* the subject is an `nsubj` (or passive subject) tagged NN or NNS; pronouns, and with them the first and second
  person, and proper names are left out;
* the finite verb is the leftmost verb after the subject among the head of the subject and its auxiliaries and copulas,
  and is tagged VBZ or VBP. So both analyses are read: spaCy's (ClearNLP), where the copula is the head and `has`, `is`,
  `does` are `aux` or `auxpass` of the main verb, and Universal Dependencies, where the copula is a `cop` child of the
  predicate;
* no finite verb of the clause stands before the subject (questions and other inversions are left out);
* the subject is not coordinated: it has no `conj`, `cc` or `preconj` child;
* the two tags agree: NN with VBZ, NNS with VBP. A mismatch ("a number of people are", "physics is", a tagger's error)
  says that the tag of the noun is not its number here;
* no other subject claims the same verb, and the sentence is not longer than a maximum.

Attractors are the nouns (NN, NNS) strictly between subject and verb whose number is the other one.

Source: Linzen, Dupoux & Goldberg 2016, the number prediction task.
"""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from repline.errors import InputError, shown

COLUMNS = ("doc_id", "sentence_id", "tokens", "tag", "head", "dep")

# One row per dependency, before the corpus is split and rare words are replaced.
EXAMPLES = pa.schema(
    [
        ("doc_id", pa.string()),
        ("sentence_id", pa.int32()),
        ("split", pa.string()),  # train, test, or null: to be decided by the document
        ("tokens", pa.list_(pa.string())),  # the words before the verb, in lower case
        ("tags", pa.list_(pa.string())),  # null where the source has none
        ("verb", pa.string()),
        ("singular", pa.bool_()),
        ("attractors", pa.int16()),
        ("distance", pa.int16()),  # words from subject to verb; null where the source has none
    ]
)

_STRINGS = pa.list_(pa.string())  # a corpus may also hold them as dictionaries
_PRESENT = {"VBZ", "VBP"}
_FINITE = _PRESENT | {"VBD", "MD"}
_VERBS = _FINITE | {"VB", "VBG", "VBN"}
_SUBJECTS = {"nsubj", "nsubjpass"}
_AUXILIARIES = {"aux", "auxpass", "cop"}
_COORDINATION = {"conj", "cc", "preconj"}


def find(sentences: pa.RecordBatch, *, maximum_tokens: int, dropped: Counter) -> pa.Table:
    """The agreement examples of a batch of annotated sentences.

    Args:
        sentences: one row per sentence with the COLUMNS of an annotated corpus; `head` counts from 0 inside the
            sentence and is -1 at the root.
        maximum_tokens: longer sentences are left out.
        dropped: subjects of a present-tense verb that were left out are added here, each under one reason.

    Returns:
        A table with the schema EXAMPLES, in the order of the verbs in the text.

    Raises:
        InputError: a sentence whose parallel lists differ in length or whose heads point outside it.

    Source: Linzen, Dupoux & Goldberg 2016.
    """
    starts, lengths, words, tags, heads, deps = _flatten(sentences)
    total = len(words)
    if not total:
        return EXAMPLES.empty_table()
    sentence = np.repeat(np.arange(len(starts)), lengths)
    position = np.arange(total)
    head = np.where(heads < 0, position, heads + starts[sentence])  # in the batch; a root is its own head
    singular, plural = _among(tags, {"NN"}), _among(tags, {"NNS"})
    present = _among(tags, _PRESENT)

    # Sorted keys (clause, position) of verbs, where a clause is named by the head of its subject.
    clause = np.where(_among(deps, _AUXILIARIES, stem=True), head, position)
    verb_keys = np.sort((clause * total + position)[_among(tags, _VERBS)])
    finite_keys = np.sort((clause * total + position)[_among(tags, _FINITE)])

    subject = np.flatnonzero(_among(deps, _SUBJECTS, stem=True) & (heads >= 0))
    key = head[subject] * total + subject
    next_key = np.append(verb_keys, total * total)[np.searchsorted(verb_keys, key, side="right")]
    verb = next_key % total
    has_verb = (next_key // total == head[subject]) & present[verb]
    subject, verb, key = subject[has_verb], verb[has_verb], key[has_verb]

    first_of_clause = np.searchsorted(finite_keys, head[subject] * total)
    coordinated = np.zeros(total, dtype=bool)
    coordinated[head[_among(deps, _COORDINATION, stem=True)]] = True
    claims = np.bincount(verb, minlength=total)
    usable = np.ones(len(subject), dtype=bool)
    for reason, applies in (
        ("several_subjects", claims[verb] > 1),
        ("inverted", np.searchsorted(finite_keys, key) > first_of_clause),
        ("subject_not_a_common_noun", ~(singular | plural)[subject]),
        ("coordinated_subject", coordinated[subject]),
        ("number_mismatch", singular[subject] != _among(tags, {"VBZ"})[verb]),
        ("long_sentence", lengths[sentence[subject]] > maximum_tokens),
    ):
        dropped[reason] += int((usable & applies).sum())
        usable &= ~applies
    order = np.argsort(verb[usable], kind="stable")
    subject, verb = subject[usable][order], verb[usable][order]

    # Nouns of each number up to a position, so that a difference of two counts those strictly in between.
    singulars, plurals = np.cumsum(singular), np.cumsum(plural)
    number = singular[subject]
    attractors = np.where(number, plurals[verb] - plurals[subject], singulars[verb] - singulars[subject])

    rows = sentence[verb]
    before = verb - starts[rows]
    lower = pc.utf8_lower(words)
    return pa.table(
        {
            "doc_id": sentences["doc_id"].cast(pa.string()).take(pa.array(rows)),
            "sentence_id": sentences["sentence_id"].take(pa.array(rows)).cast(pa.int32()),
            "split": pa.nulls(len(rows), pa.string()),
            "tokens": _prefixes(lower, starts[rows], before),
            "tags": _prefixes(tags, starts[rows], before),
            "verb": lower.take(pa.array(verb)),
            "singular": number,
            "attractors": attractors.astype(np.int16),
            "distance": (verb - subject).astype(np.int16),
        },
        schema=EXAMPLES,
    )


def _flatten(sentences: pa.RecordBatch) -> tuple[np.ndarray, np.ndarray, pa.Array, pa.Array, np.ndarray, pa.Array]:
    """Starts and lengths of the sentences [N], and the flat tokens, tags, heads (numpy) and relations [total]."""
    lengths = pc.fill_null(pc.list_value_length(sentences["tokens"]), 0).to_numpy().astype(np.int64)
    for name in ("tag", "head", "dep"):
        value_counts = pc.fill_null(pc.list_value_length(sentences[name]), -1).to_numpy()
        if (lengths != value_counts).any():
            row = int((lengths != value_counts).argmax())
            raise InputError(
                f"{_address(sentences, row)}: {lengths[row]} tokens, but {max(value_counts[row], 0)} values of "
                f"{shown(name)}"
            )
    starts = np.cumsum(lengths) - lengths
    words, tags, deps = (sentences[name].cast(_STRINGS).flatten() for name in ("tokens", "tag", "dep"))
    heads = sentences["head"].flatten()
    if heads.null_count:
        row = int(np.searchsorted(starts + lengths, heads.is_null().to_numpy(zero_copy_only=False).argmax(), "right"))
        raise InputError(f"{_address(sentences, row)}: its heads are not given; parse the source")
    heads = pc.fill_null(heads, -2).to_numpy(zero_copy_only=False).astype(np.int64)
    outside = (heads < -1) | (heads >= np.repeat(lengths, lengths))
    if outside.any():
        row = int(np.searchsorted(starts + lengths, outside.argmax(), side="right"))
        raise InputError(f"{_address(sentences, row)}: a head points outside the sentence of {lengths[row]} tokens")
    return starts, lengths, words, tags, heads, deps


def _address(sentences: pa.RecordBatch, row: int) -> str:
    return f"document {sentences['doc_id'][row].as_py()!r}, sentence {sentences['sentence_id'][row].as_py()}"


def _among(labels: pa.Array, kinds: set[str], stem: bool = False) -> np.ndarray:
    """Which labels are among `kinds`, bool [total]; with `stem`, `nsubj:pass` counts as `nsubj`."""
    encoded = labels.dictionary_encode()
    names = [str(name).split(":")[0] if stem else name for name in encoded.dictionary.to_pylist()]
    hits = np.array([*(name in kinds for name in names), False])  # the last for nulls
    return hits[pc.fill_null(encoded.indices, len(names)).to_numpy(zero_copy_only=False)]


def _prefixes(flat: pa.Array, starts: np.ndarray, lengths: np.ndarray) -> pa.ListArray:
    """Lists of `flat[start : start + length]`."""
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), flat.take(pa.array(indices)))
