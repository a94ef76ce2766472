"""What lines of the Freebase RDF dump say of names and types.

A line is a triple between tabs, `<subject> <predicate> <object> .`, such as

    <http://rdf.freebase.com/ns/m.0abc>  <http://rdf.freebase.com/ns/type.object.name>  "Paris"@en  .

Three predicates count: type.object.name and common.topic.alias, whose objects are texts with a language, and
type.object.type, whose objects are types. Entities are numbers made of their identifiers (m.0abc, g.11b6).

Source: https://developers.google.com/freebase (data dumps, "N-Triples RDF").
"""

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.corpora.freebase.dump_blocks import Found
from repline.corpora.freebase.name_tables import PAIRS, normalised

NS = b"<http://rdf.freebase.com/ns/"
PREDICATES = (b"type.object.name", b"common.topic.alias", b"type.object.type")
TYPE_PREDICATE = 2
DIGITS = b"0123456789bcdfghjklmnpqrstvwxyz_"  # of identifiers, of value 0 to 31
G = 1 << 61  # added to the numbers of identifiers that begin with g
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([tbnrf"\'\\]))')
_PLAIN = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_WRONG = "expected a triple between tabs that ends with a dot, found "
_VALUES = np.full(256, -1, np.int64)
_VALUES[np.frombuffer(DIGITS, np.uint8)] = np.arange(32)
_NS = np.frombuffer(NS, np.uint8)


class FreebaseScan:
    """Lines -> their pairs of names and of types, for `dump_blocks.scan_dump`.

    Args:
        languages: of names, as in the dump (en, en-GB).
        types: identifiers of the types that count (people.person).
    """

    def __init__(self, languages: Sequence[str], types: Sequence[str]) -> None:
        self.languages = _padded([f'"@{language}'.encode() for language in languages])
        self.types = pa.array(sorted(set(types)), pa.string())

    def __call__(self, text: bytes) -> Found:
        data = np.frombuffer(text, np.uint8)
        lines = text.count(b"\n")
        wrong, repeated, literals, marks = _scan(
            data, lines, *_padded([NS + name + b">" for name in PREDICATES]), *self.languages
        )
        counts = {"wrong_lines": int(repeated), "other_objects": int(marks[0]), "other_subjects": int(marks[1])}
        first = None
        if wrong:
            shown = text.split(b"\n", int(wrong))[int(wrong) - 1][:60].decode("utf-8", "replace")
            first = int(wrong), _WRONG + repr(shown)
        entities, starts, ends, kinds, escaped = literals
        is_type = kinds == TYPE_PREDICATE
        names, bad = _texts(data, starts[~is_type], ends[~is_type], escaped[~is_type])
        if bad is not None:
            line_number = int(np.count_nonzero(data[: int(starts[~is_type][bad])] == 10)) + 1
            if first is None or line_number < first[0]:
                first = line_number, "expected UTF-8 text"
            counts["wrong_lines"] += sum(1 for name in names.to_pylist() if not name)
        types, _ = _texts(data, starts[is_type], ends[is_type], escaped[is_type])
        is_wanted = pc.is_in(types, value_set=self.types)
        rows = pa.table([pa.array(entities[is_type]), types], schema=PAIRS).filter(is_wanted)
        named = pa.table([pa.array(entities[~is_type]), normalised(names, counts)], schema=PAIRS)
        return Found({"names": named, "types": rows}, counts, first)


@njit(cache=ON_DISK, nogil=True)
def _scan(data, lines, predicates, predicate_lengths, languages, language_lengths):
    """Find the triples that count; written out for speed, byte after byte.

    Returns:
        the number of the first wrong line (0 for none), how many there are, the arrays of what was found (entity, start
        and end of the text in `data`, predicate, whether it has a backslash), and [objects, subjects] of another kind.
    """
    entities, starts, ends = np.empty(lines, np.int64), np.empty(lines, np.int64), np.empty(lines, np.int64)
    kinds, escaped = np.empty(lines, np.int8), np.empty(lines, np.bool_)
    marks = np.zeros(2, np.int64)
    count = first = repeated = number = 0
    begin = tabs = 0
    tab = np.empty(3, np.int64)
    for position in range(len(data)):
        byte = data[position]
        if byte > 10:
            continue
        if byte == 9:
            if tabs < 3:
                tab[tabs] = position
            tabs += 1
            continue
        if byte != 10:
            continue
        number += 1
        start, end, field_tabs = begin, position, tabs
        begin, tabs = position + 1, 0
        if end > start and data[end - 1] == 13:
            end -= 1
        if end == start or data[start] == 35:  # an empty line, or #
            continue
        if field_tabs != 3 or end != tab[2] + 2 or data[end - 1] != 46 or data[start] != 60 or data[tab[0] + 1] != 60:
            first = first if first else number
            repeated += 1
            continue
        kind = -1
        for row in range(len(predicates)):
            if tab[1] - tab[0] - 1 == predicate_lengths[row] and _same(
                data, tab[0] + 1, predicates[row], predicate_lengths[row]
            ):
                kind = row
        if kind < 0:
            continue
        entity = _entity(data, start, tab[0])
        if entity < 0:
            marks[1] += 1
            continue
        begin_literal, end_literal = tab[1] + 1, tab[2]
        if kind == TYPE_PREDICATE:
            is_read = (
                end_literal - begin_literal > len(_NS) + 1
                and data[end_literal - 1] == 62
                and _same(data, begin_literal, _NS, len(_NS))
            )
            begin_literal, end_literal = begin_literal + len(_NS), end_literal - 1
        else:
            is_read = False
            for row in range(len(languages)):
                quote = end_literal - language_lengths[row]
                if (
                    data[begin_literal] == 34
                    and quote > begin_literal
                    and _same(data, quote, languages[row], language_lengths[row])
                ):
                    is_read, begin_literal, end_literal = True, begin_literal + 1, quote
                    break
        if not is_read:
            marks[0] += 1
            continue
        entities[count], starts[count], ends[count], kinds[count] = entity, begin_literal, end_literal, kind
        escaped[count] = False
        for position in range(begin_literal, end_literal):
            if data[position] == 92:
                escaped[count] = True
                break
        count += 1
    return first, repeated, (entities[:count], starts[:count], ends[:count], kinds[:count], escaped[:count]), marks


@njit(cache=ON_DISK, nogil=True)
def _same(data, start, expected, length):
    offset = length - 1  # identifiers differ at their ends
    while offset >= 0 and data[start + offset] == expected[offset]:
        offset -= 1
    return offset < 0


@njit(cache=ON_DISK, nogil=True)
def _entity(data, start, end):
    """The number of `<http://rdf.freebase.com/ns/m.0abc>`, -1 for another subject."""
    begin = start + len(_NS)
    if (
        end - begin < 4
        or end - begin > 14
        or not _same(data, start, _NS, len(_NS))
        or data[begin + 1] != 46
        or data[end - 1] != 62
    ):
        return np.int64(-1)
    if data[begin] != 109 and data[begin] != 103:
        return np.int64(-1)
    number = np.int64(1)  # so that leading zeros count
    for position in range(begin + 2, end - 1):
        digit = _VALUES[data[position]]
        if digit < 0:
            return np.int64(-1)
        number = number * 32 + digit
    return number + (G if data[begin] == 103 else 0)


@njit(cache=ON_DISK, nogil=True)
def _gathered(data, starts, ends):
    offsets = np.zeros(len(starts) + 1, np.int32)
    for row in range(len(starts)):
        offsets[row + 1] = offsets[row] + ends[row] - starts[row]
    content = np.empty(offsets[-1], np.uint8)
    for row in range(len(starts)):
        content[offsets[row] : offsets[row + 1]] = data[starts[row] : ends[row]]
    return offsets, content


def _texts(
    data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], escaped: NDArray[np.bool_]
) -> tuple[pa.Array, int | None]:
    """Parts of `data` as texts, and the first that is no UTF-8, which becomes an empty text as the other such ones."""
    offsets, content = _gathered(data, starts, ends)
    raw = pa.Array.from_buffers(pa.binary(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(content)])
    bad = None
    try:
        texts = raw.cast(pa.string())
    except pa.ArrowInvalid:
        decoded = [_decoded(text) for text in raw.to_pylist()]
        bad = next(row for row, text in enumerate(decoded) if text is None)
        texts = pa.array([text or "" for text in decoded], pa.string())
    if escaped.any():
        rows = np.flatnonzero(escaped)
        plain = pa.array([unescaped(text) for text in texts.take(pa.array(rows)).to_pylist()], pa.string())
        texts = pc.replace_with_mask(texts, pa.array(escaped), plain)
    return texts, bad


def unescaped(text: str) -> str:
    r"""A literal without the escapes of N-Triples: \", \u00e9, \U0001f600, and pairs of surrogates."""
    plain = _ESCAPE.sub(lambda match: _character(match), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _PLAIN.get(match[3], match[3])
    return chr(int(code, 16)) if int(code, 16) < 0x110000 else "\ufffd"


def _decoded(raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _padded(texts: Sequence[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    lengths = np.array([len(text) for text in texts], np.int64)
    table = np.zeros((len(texts), int(lengths.max())), np.uint8)
    for row, text in zip(table, texts, strict=True):
        row[: len(text)] = np.frombuffer(text, np.uint8)
    return table, lengths
