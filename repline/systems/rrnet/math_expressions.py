"""MEE, math expression evaluation: fully bracketed expressions over digits, and their two-digit values.

    expression of length 0      a digit, uniform in 0..9
    expression of length L      ( left op right ),  left of length uniform in 0..L-1, right of the rest, op uniform

Every operator has its brackets, the outermost too: L operators, L + 1 digits, 2L brackets, 4L + 1 characters. Values
are integer arithmetic; `%` is the floor modulo, with the sign of the divisor: (2-7)%3 = 1. An expression is kept if no
divisor is zero and its value is written with two digits, 10 to 99.

Characters are numbered by their position in `ALPHABET`.

Source: Jacob, Lin, Sordoni & Bengio 2018, section 3.1; how expressions are drawn is that of the authors' program.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.rrnet.settings import MAX_OPERATORS, OPERATORS, MathExpressions

DIGITS = "0123456789"
OPEN, CLOSE = "()"
ALPHABET = DIGITS + OPERATORS + OPEN + CLOSE
LOWEST, HIGHEST = 10, 99
SPLITS = ("train", "validation", "test")
BLOCK = 1 << 16

_CODES = np.full(256, -1, dtype=np.int8)
_CODES[np.frombuffer(ALPHABET.encode("ascii"), dtype=np.uint8)] = np.arange(len(ALPHABET))
_OPEN, _CLOSE, _FIRST_OPERATOR = ALPHABET.index(OPEN), ALPHABET.index(CLOSE), len(DIGITS)


def generate(folder: str | Path, corpus: MathExpressions) -> None:
    """Write train.parquet, validation.parquet, test.parquet (`expression`, `length`, `value`) and card.json.

    Args:
        folder: replaces what was there, all or nothing.

    Raises:
        InputError: more expressions are asked for than there are.

    Source: Jacob et al. 2018, section 3.1.
    """
    lengths, operators = corpus.lengths, corpus.operators
    counts = {"train": corpus.train, "validation": corpus.validation, "test": corpus.test}
    parts: dict[str, list[pa.Table]] = {name: [] for name in SPLITS}
    statistics: dict[str, int] = {}
    for length in lengths:
        rng = np.random.Generator(np.random.PCG64([corpus.seed, length]))
        ids, drawn = distinct(sum(counts.values()), length=length, operators=operators, rng=rng)
        values, _ = evaluate(ids)
        statistics[f"drawn_of_length_{length}"] = drawn
        statistics[f"most_frequent_value_of_length_{length}"] = int(np.bincount(values).max())
        table = pa.table(
            {
                "expression": decode(ids),
                "length": np.full(len(ids), length, dtype=np.int8),
                "value": values.astype(np.int8),
            }
        )
        first = 0
        for name in SPLITS:
            parts[name].append(table.slice(first, counts[name]))
            first += counts[name]
    with new_folder(folder) as partial:
        for name, tables in parts.items():
            pq.write_table(pa.concat_tables(tables).combine_chunks(), partial / f"{name}.parquet", compression="zstd")
        write_card(
            partial,
            name="math_expressions",
            description=f"Bracketed expressions of {' '.join(map(str, lengths))} operators of {operators!r}, "
            "with values of two digits",
            licence="Apache-2.0",
            sources=[],
            parameters=corpus.model_dump(),
            counts={f"{name}_expressions": count * len(lengths) for name, count in counts.items()} | statistics,
            tools=("numpy", "pyarrow"),
            notes=["made data: drawn from a seeded generator"],
        )


def distinct(
    count: int, *, length: int, operators: str = OPERATORS, rng: np.random.Generator
) -> tuple[np.ndarray, int]:
    """The first `count` different expressions with values of two digits, and how many were drawn for them.

    Returns:
        (int8 [count, 4 length + 1], draws).

    Raises:
        InputError: there are not this many.
    """
    expressions = np.empty((0, 4 * length + 1), dtype=np.int8)
    drawn = 0
    while len(expressions) < count:
        block = draw(BLOCK, length=length, operators=operators, rng=rng)
        values, defined = evaluate(block)
        valid = np.flatnonzero(defined & (values >= LOWEST) & (values <= HIGHEST))
        candidates = np.concatenate([expressions, block[valid]])
        _, first = np.unique(candidates.view(f"V{candidates.shape[1]}").ravel(), return_index=True)
        if len(first) == len(expressions):
            raise InputError(
                f"math_expressions: expected {count} different expressions of length {length} over {shown(operators)}, "
                f"found {len(expressions)} in {drawn} draws and no new one in {BLOCK} more; "
                "ask for fewer or longer ones"
            )
        first.sort()
        last = first[count - 1] if len(first) >= count else None
        drawn += BLOCK if last is None else int(valid[last - len(expressions)]) + 1
        expressions = candidates[first[:count]]
    return expressions, drawn


def draw(count: int, *, length: int, operators: str = OPERATORS, rng: np.random.Generator) -> np.ndarray:
    """Random expressions of one length, whatever their value.

    Returns:
        int8 [count, 4 length + 1], characters of ALPHABET.
    """
    codes = _CODES[np.frombuffer(operators.encode("ascii"), dtype=np.uint8)]
    ids = rng.integers(0, len(DIGITS), size=(count, 4 * length + 1), dtype=np.int8)  # what no bracket covers: digits
    row, start, size = np.arange(count), np.zeros(count, dtype=np.int64), np.full(count, length)
    while len(row):  # one pass for a level of the trees of all expressions
        inner = size > 0
        row, start, size = row[inner], start[inner], size[inner]
        left_size = (rng.random(len(row)) * size).astype(np.int64)
        middle = start + 4 * left_size + 2
        ids[row, start] = _OPEN
        ids[row, start + 4 * size] = _CLOSE
        ids[row, middle] = codes[rng.integers(0, len(codes), size=len(row))]
        row = np.concatenate([row, row])
        start, size = np.concatenate([start + 1, middle + 1]), np.concatenate([left_size, size - 1 - left_size])
    return ids


def evaluate(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values of expressions of one length.

    Args:
        ids: int [N, T], characters of ALPHABET.

    Returns:
        (int64 [N] values, bool [N] whether no divisor is zero); a value is meaningless where it is not defined.

    Raises:
        InputError: an expression that is not fully bracketed, naming its number.
    """
    count, width = ids.shape
    row = np.arange(count)
    numbers = np.zeros((count, width + 1), dtype=np.int64)  # the operands that wait, `held` of them
    operators = np.zeros((count, width + 1), dtype=np.int64)  # of the bracket at each depth; 0 before it is read
    held, depth = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    complete = np.zeros(count, dtype=bool)  # whether an operand has just ended
    broken, defined = np.zeros(count, dtype=bool), np.ones(count, dtype=bool)
    for column in ids.T.astype(np.int64):
        opening, closing, digit = column == _OPEN, column == _CLOSE, column < _FIRST_OPERATOR
        operator = ~(opening | closing | digit)
        broken |= complete == (opening | digit)
        broken |= (operator & (operators[row, depth] != 0)) | (closing & (operators[row, depth] == 0))
        broken |= (operator | closing) & (depth == 0)
        depth += opening
        operators[row, depth] = np.where(opening, 0, np.where(operator, column, operators[row, depth]))
        numbers[row, held] = np.where(digit, column, numbers[row, held])
        right_operand, left_operand = numbers[row, np.maximum(held - 1, 0)], numbers[row, np.maximum(held - 2, 0)]
        result, sound = _apply(operators[row, depth], left_operand, right_operand)
        numbers[row, np.maximum(held - 2, 0)] = np.where(closing, result, left_operand)
        defined &= sound | ~closing
        held = np.maximum(held + digit - closing, 0)
        depth = np.maximum(depth - closing, 0)
        complete = digit | closing
    broken |= (depth != 0) | ~complete
    if broken.any():
        number = int(broken.argmax())
        raise InputError(f"expression {number} is not fully bracketed: {shown(decode(ids[number : number + 1])[0])}")
    return numbers[:, 0], defined


def write_own_expressions(
    path: str | Path, folder: Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> int:
    """Write the expressions of a user's file as train.parquet and validation.parquet, and return how many there are.

    The last tenth is for validation; a single expression is for both.

    Args:
        path: an expression a line, as `((9+2)-(1*3))`; a tab and its value may follow, which is checked.
        folder: it is there.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: the file has no expression, a line is not an expression or has more than `MAX_OPERATORS` operators,
            or its value is wrong or not of two digits.
    """
    expressions: list[str] = []
    values: list[int] = []
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        expression, _, claimed = line.strip().partition("\t")
        if not expression:
            continue
        where = f"line {number}"
        with left_out:
            try:
                result = value(expression)
            except InputError:
                problem = f"expected a fully bracketed expression such as ((9+2)-3), found {shown(line)}"
                raise WrongRecord(path, where, problem, "no bracketed expression") from None
            if operator_count(expression) > MAX_OPERATORS:
                problem = f"expected at most {MAX_OPERATORS} operators, found {operator_count(expression)}"
                raise WrongRecord(path, where, problem, "too many operators")
            if result is None or not LOWEST <= result <= HIGHEST:
                result_shown = "a division by zero" if result is None else result
                problem = f"expected a value from {LOWEST} to {HIGHEST}, found {result_shown}"
                raise WrongRecord(path, where, problem, "a value out of range")
            if claimed and claimed.strip() != str(result):
                problem = f"the value of {expression} is {result}, found {shown(claimed.strip())}"
                raise WrongRecord(path, where, problem, "another value")
            expressions.append(expression)
            values.append(result)
    if not expressions:
        raise InputError(f"{path}: expected an expression a line, found none")
    lengths = pa.array([operator_count(expression) for expression in expressions], pa.int8())
    table = pa.table({"expression": expressions, "length": lengths, "value": pa.array(values, pa.int8())})
    write_with_validation(table, folder)
    return len(expressions)


def write_with_validation(table: pa.Table, folder: Path) -> None:
    """Write train.parquet, and the last tenth of the rows as validation.parquet; a single row is in both.

    Args:
        table: at least one row.
        folder: it is there.
    """
    held_out = max(1, len(table) // 10)
    pq.write_table(table.slice(0, max(1, len(table) - held_out)), folder / "train.parquet", compression="zstd")
    pq.write_table(table.slice(len(table) - held_out), folder / "validation.parquet", compression="zstd")


def value(expression: str) -> int | None:
    """The value of one expression: `((2-7)%3)` -> 1.

    Returns:
        None where a divisor is zero, and for more than `MAX_OPERATORS` operators, whose products may not fit 64 bits.

    Raises:
        InputError: a character outside ALPHABET, or not fully bracketed.
    """
    values, defined = evaluate(encode([expression]))
    return int(values[0]) if defined[0] and operator_count(expression) <= MAX_OPERATORS else None


def operator_count(expression: str) -> int:
    """How many operators a fully bracketed expression has: it has four characters for each, and a digit."""
    return len(expression) // 4


def encode(expressions: Sequence[str]) -> np.ndarray:
    """Expressions of one length as characters: int8 [N, T].

    Raises:
        InputError: expressions of different lengths, or a character outside ALPHABET, naming the expression's number.
    """
    if not len(expressions):
        return np.empty((0, 0), dtype=np.int8)
    width = len(expressions[0])
    for number, expression in enumerate(expressions):
        if len(expression) != width or not expression.isascii():
            raise InputError(
                f"expression {number}: expected {width} characters of {shown(ALPHABET)}, found {shown(expression)}"
            )
    ids = _CODES[np.frombuffer("".join(expressions).encode("ascii"), dtype=np.uint8)].reshape(len(expressions), width)
    if (ids < 0).any():
        number = int((ids < 0).any(axis=1).argmax())
        raise InputError(f"expression {number}: {shown(expressions[number])} has characters outside {shown(ALPHABET)}")
    return ids


def decode(ids: np.ndarray) -> list[str]:
    """The expressions of characters [N, T]; the inverse of `encode`."""
    letters = np.frombuffer(ALPHABET.encode("ascii"), dtype=np.uint8)[ids]
    return [line.tobytes().decode("ascii") for line in letters]


def _apply(operator: np.ndarray, left_operand: np.ndarray, right_operand: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Results of operators (characters), and whether they are defined; int64 [N] each."""
    plus, minus, times, modulo = (operator == ALPHABET.index(sign) for sign in OPERATORS)
    zero = right_operand == 0
    remainder = np.mod(left_operand, np.where(zero, 1, right_operand))  # the sign of the divisor, as in Python
    results = [
        left_operand + right_operand,
        left_operand - right_operand,
        left_operand * right_operand,
        remainder,
    ]
    result = np.select([plus, minus, times, modulo], results, default=0)
    return result, ~(modulo & zero)
