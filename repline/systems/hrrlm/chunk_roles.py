"""The role of a chunk in its clause, from the parse: AGENT, PATIENT, PREDICATE or MODIFIER; and its position.

These roles stand in for annotated semantic roles. The relation of a noun phrase's head to the verb gives its role:

* AGENT: subjects of the active, the "by" phrase of the passive;
* PATIENT: objects, subjects of the passive;
* MODIFIER: noun phrases of a preposition attached to a verb, bare adverbial noun phrases, adverb phrases;
* PREDICATE: verb phrases.

Chunks inside another noun phrase (the head of their preposition is a noun), and all others, have no role.

Labels of spaCy's English models and of Universal Dependencies are both understood.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from repline.errors import InputError

ROLES = ("AGENT", "PATIENT", "PREDICATE", "MODIFIER")

_AGENT = {"nsubj", "csubj", "obl:agent"}
_PATIENT = {"nsubjpass", "nsubj:pass", "csubjpass", "csubj:pass", "dobj", "obj"}
_MODIFIER = {"npadvmod", "obl", "obl:tmod", "obl:npmod", "obl:unmarked", "advmod"}
_SUBJECT = {"nsubj", "nsubjpass", "nsubj:pass"}
_OBJECT = {"dobj", "obj"}


def chunk_numbers(labels: Sequence[str]) -> list[int]:
    """The number of each token's chunk in its sentence, from 0; -1 outside of chunks.

    Args:
        labels: IOB2 (B-NP, I-NP, O) of one sentence; an I after nothing or after another type begins a chunk as well.
    """
    numbers, count, inside = [], -1, ""
    for label in labels:
        kind = label[2:]
        if kind and (label[0] == "B" or kind != inside):
            count += 1
        numbers.append(count if kind else -1)
        inside = kind
    return numbers


def chunk_roles(
    labels: Sequence[str], head: Sequence[int], dep: Sequence[str], tag: Sequence[str]
) -> list[tuple[str | None, str | None]]:
    """The role and the position of every chunk of a sentence.

    Args:
        labels: [n] IOB2.
        head: [n] places from 0; -1 for the root (or its own place).
        dep: [n] relations to the head.
        tag: [n] Penn or universal part-of-speech tags; verbs begin with V (or are AUX, MD).

    Returns:
        for each chunk, in order, one of ROLES or None, and for noun phrases "subject", "object", "prepositional
        object", "sentence begin" or None. A noun phrase that begins the sentence is "sentence begin" whatever else it
        is.
    """
    numbers = chunk_numbers(labels)
    members: dict[int, list[int]] = {}
    for token, number in enumerate(numbers):
        if number >= 0:
            members.setdefault(number, []).append(token)
    return [
        (_role(labels[tokens[0]][2:], _top(tokens, head), head, dep, tag), _position(labels, tokens, head, dep))
        for tokens in members.values()
    ]


def roles_of(rows: pa.Table, names: Sequence[tuple[int, int]]) -> list[tuple[str | None, str | None]]:
    """Role and position, as in `chunk_roles`, of some chunks of a corpus.

    Args:
        rows: with the columns chunk, head, dep, and tag or pos.
        names: (row, number of the chunk in it) of each.

    Raises:
        InputError: a column is missing.
    """
    columns = ["chunk", "head", "dep", "tag" if "tag" in rows.column_names else "pos"]
    missing = [column for column in columns if column not in rows.column_names]
    if missing:
        raise InputError(
            f"roles of chunks need a parse: expected a column {missing[0]}, found {', '.join(rows.column_names)}"
        )
    row_numbers = sorted({row for row, _ in names})
    chosen_rows = rows.select(columns).take(row_numbers)
    if pc.list_flatten(chosen_rows["head"]).null_count:
        raise InputError("roles of chunks need a parse, and some heads are not given; parse the source")
    by_row = {
        row: chunk_roles(*values)
        for row, *values in zip(row_numbers, *(chosen_rows[column].to_pylist() for column in columns), strict=True)
    }
    return [by_row[row][number] for row, number in names]


def _top(tokens: Sequence[int], head: Sequence[int]) -> int:
    """The token whose head is outside the chunk; of several, the last."""
    outside = [token for token in tokens if head[token] not in tokens or head[token] == token]
    return outside[-1] if outside else tokens[-1]


def _role(kind: str, top: int, head: Sequence[int], dep: Sequence[str], tag: Sequence[str]) -> str | None:
    above = head[top]
    relation = dep[top]
    if kind == "VP":
        return "PREDICATE"
    if kind == "ADVP":
        return "MODIFIER" if relation == "advmod" and _verb(above, tag) else None
    if kind != "NP":
        return None
    if relation in _AGENT:
        return "AGENT"
    if relation in _PATIENT:
        return "PATIENT"
    if relation == "pobj" and above >= 0:
        if dep[above] == "agent":
            return "AGENT"
        return "MODIFIER" if dep[above] == "prep" and _verb(head[above], tag) else None
    return "MODIFIER" if relation in _MODIFIER and _verb(above, tag) else None


def _position(labels: Sequence[str], tokens: Sequence[int], head: Sequence[int], dep: Sequence[str]) -> str | None:
    if labels[tokens[0]][2:] != "NP":
        return None
    if tokens[0] == 0:
        return "sentence begin"
    relation = dep[_top(tokens, head)]
    if relation in _SUBJECT:
        return "subject"
    if relation in _OBJECT:
        return "object"
    return "prepositional object" if relation == "pobj" or relation.startswith("obl") else None


def _verb(token: int, tag: Sequence[str]) -> bool:
    return token >= 0 and (tag[token].startswith("V") or tag[token] in ("AUX", "MD"))
