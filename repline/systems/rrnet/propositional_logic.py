"""Propositional logic: pairs of formulas and which of seven relations holds between them.

    formula with budget m     a variable (5/9, or always if m < 2), else `and` or `or` of two formulas of budget m/2;
                              then with probability 1/3 `not` before it
    written                   ( not X ),   ( X ( and Y ) ),   ( X ( or Y ) )

With the truth assignments that satisfy a formula as a set (L on the left, R on the right, U all assignments):

    =  equal          <  L within R      >  R within L
    ^  disjoint and together U           |  disjoint, not U       v  overlapping, together U       #  none of these

A set is an integer with a bit for each of the 2^6 assignments, so that `and`, `or` and `not` are those of integers.

Source: Bowman, Manning & Potts 2015, "Tree-structured composition in neural networks without tree-structured
architectures", whose program draws pairs in this way; used by Jacob et al. 2018, section 3.2.
"""

import random
import re
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
from repline.systems.rrnet.math_expressions import write_with_validation
from repline.systems.rrnet.settings import PropositionalLogic

VARIABLES = "abcdef"
CONNECTIVES = ("and", "or", "not")
OPEN, CLOSE = "()"
WORDS = (*VARIABLES, *CONNECTIVES, OPEN, CLOSE)
RELATIONS = ("=", "<", ">", "^", "|", "v", "#")
LONGEST = 12  # longer pairs count as this length
PAIRS = pa.schema([("left", pa.string()), ("right", pa.string()), ("relation", pa.string()), ("length", pa.int8())])
SPLITS = ("train", "validation", "test")
SHARES = (0.8, 0.1, 0.1)
EXAMPLE = "( ( not a ) ( or ( b ( and c ) ) ) )"
MEANINGS = dict(
    zip(
        RELATIONS,
        ("equal", "entails", "is entailed", "contradictory", "exclusive", "exhaustive", "independent"),
        strict=True,
    )
)
Part = str | int | tuple[str, int]  # a word, a set of assignments, or a connective with one
_WORD = re.compile(r"[()]|[^\s()]+")

ASSIGNMENTS = (1 << (1 << len(VARIABLES))) - 1  # the set of all 64
# the assignments in which variable i is true: bit n of the set is bit i of n
TRUE = {
    name: sum(1 << number for number in range(1 << len(VARIABLES)) if number >> index & 1)
    for index, name in enumerate(VARIABLES)
}


def generate(folder: str | Path, corpus: PropositionalLogic) -> None:
    """Write train.parquet, validation.parquet, test.parquet (`left`, `right`, `relation`, `length`) and card.json.

    The pairs are de-duplicated, and those of each length are split 0.8 / 0.1 / 0.1, every length at least one.

    Args:
        folder: replaces what was there, all or nothing.

    Raises:
        InputError: too few pairs for three splits.
    """
    rng = random.Random(corpus.seed)
    by_length: dict[int, dict[tuple[str, str], str]] = {}
    for _ in range(corpus.pairs):
        left, right, relation, length = draw_pair(rng, budget=corpus.budget, variables=corpus.variables)
        by_length.setdefault(length, {})[left, right] = relation
    rows: dict[str, list[tuple[str, str, str, int]]] = {name: [] for name in SPLITS}
    for length, relations in sorted(by_length.items()):
        items = [(left, right, relation, length) for (left, right), relation in relations.items()]
        rng.shuffle(items)
        ends = np.round(np.cumsum(SHARES) * len(items)).astype(int)
        for name, part in zip(SPLITS, np.split(np.arange(len(items)), ends[:-1]), strict=True):
            rows[name] += [items[number] for number in part]
    if not all(rows.values()):
        raise InputError(
            f"propositional_logic.pairs: expected enough pairs for three splits, found {corpus.pairs}; ask for more"
        )
    with new_folder(folder) as partial:
        counts = {"drawn": corpus.pairs}
        for name, items in rows.items():
            table = pa.table(list(map(list, zip(*items, strict=True))), schema=PAIRS)
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")
            counts[f"{name}_pairs"] = len(items)
        counts |= {f"pairs_of_length_{length}": len(relations) for length, relations in sorted(by_length.items())}
        write_card(
            partial,
            name="propositional_logic",
            description="Pairs of formulas of propositional logic and the relation between them",
            licence="Apache-2.0",
            sources=[],
            parameters=corpus.model_dump(),
            counts=counts,
            notes=["made data: drawn from a seeded generator"],
        )


def write_own_pairs(
    path: str | Path, folder: Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> int:
    """Write the pairs of formulas of a user's file as train.parquet and validation.parquet; returns how many.

    The last tenth is for validation; a single pair is for both.

    Args:
        path: two formulas with a tab between them a line, as `a TAB ( a ( or b ) )`; a tab and the relation may follow,
            which is checked.
        folder: it is there.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: there is no pair, a line is not one, another relation holds, or a formula is always true or never.
    """
    rows: list[tuple[str, str, str, int]] = []
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        if not line.strip():
            continue
        where, fields = f"line {number}", line.split("\t")
        with left_out:
            if not 2 <= len(fields) <= 3:
                problem = f"expected two formulas between tabs, found {len(fields)} fields"
                raise WrongRecord(path, where, problem)
            left, right = (words_of(formula) for formula in fields[:2])
            try:
                holding = exact_relation(left, right)
            except InputError as error:
                raise WrongRecord(path, where, str(error), "no formula") from None
            if holding is None:
                raise WrongRecord(path, where, "a formula is always true or never true, so nothing relates to it")
            if len(fields) == 3 and fields[2].strip() != holding:
                problem = f"the relation is {shown(holding)}, found {shown(fields[2].strip())}"
                raise WrongRecord(path, where, problem, "another relation")
            connectives = max(sum(word in CONNECTIVES for word in words) for words in (left, right))
            rows.append((" ".join(left), " ".join(right), holding, min(connectives, LONGEST)))
    if not rows:
        raise InputError(f"{path}: expected two formulas a line, found none")
    write_with_validation(pa.table(list(map(list, zip(*rows, strict=True))), schema=PAIRS), folder)
    return len(rows)


def draw_pair(rng: random.Random, *, budget: int = 12, variables: int = 4) -> tuple[str, str, str, int]:
    """A pair of formulas, neither true nor false under all assignments: (left, right, relation, length).

    Args:
        budget: m of both formulas.
        variables: how many of the six both may use.

    Returns:
        The formulas as text, one of RELATIONS, and the larger number of connectives of the two, at most LONGEST.
    """
    while True:
        names = rng.sample(VARIABLES, variables)
        left, true_left, size_left = _draw(rng, names, budget)
        right, true_right, size_right = _draw(rng, names, budget)
        if true_left not in (0, ASSIGNMENTS) and true_right not in (0, ASSIGNMENTS):
            length = min(max(size_left, size_right), LONGEST)
            return left, right, relation(true_left, true_right), length


def relation(left: int, right: int, universe: int = ASSIGNMENTS) -> str:
    """Which of RELATIONS holds between two sets of assignments, given as integers with a bit an assignment.

    Args:
        left, right: neither empty nor all of `universe`.
        universe: all assignments.
    """
    if left == right:
        return "="
    if left & right == left:
        return "<"
    if left & right == right:
        return ">"
    exhaustive = left | right == universe
    if not left & right:
        return "^" if exhaustive else "|"
    return "v" if exhaustive else "#"


def words_of(formula: str) -> list[str]:
    """The words of a formula in lower case: brackets stand apart, with or without blanks around them."""
    return _WORD.findall(formula.lower())


def truth(words: Sequence[str]) -> int:
    """The assignments that satisfy a formula, as a set in an integer, see `propositional_logic`.

    Raises:
        InputError: the words are no formula.
    """
    stack: list[list[Part]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            _close(stack, words)
        elif word in TRUE:
            stack[-1].append(TRUE[word])
        else:
            stack[-1].append(word)
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], int):
        raise _no_formula(words)
    return stack[0][0]


def exact_relation(left: Sequence[str], right: Sequence[str]) -> str | None:
    """The relation that holds between two formulas; None where one of them is always true or never.

    Raises:
        InputError: the words of one of them are no formula.
    """
    sets = truth(left), truth(right)
    return None if set(sets) & {0, ASSIGNMENTS} else relation(*sets)


def encode(formulas: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Formulas as word numbers (places in WORDS), padded on the right with 0: (int64 [N, T], int64 [N] lengths).

    Raises:
        InputError: a word outside WORDS, naming the formula's number.
    """
    number = {word: index for index, word in enumerate(WORDS)}
    split = [formula.split() for formula in formulas]
    for index, words in enumerate(split):
        if not words or set(words) - set(WORDS):
            raise InputError(f"formula {index}: expected words of {' '.join(WORDS)}, found {shown(formulas[index])}")
    lengths = np.array([len(words) for words in split], dtype=np.int64)
    ids = np.zeros((len(split), int(lengths.max(initial=0))), dtype=np.int64)
    ids[np.arange(ids.shape[1]) < lengths[:, None]] = [number[word] for words in split for word in words]
    return ids, lengths


def _draw(rng: random.Random, names: Sequence[str], budget: float) -> tuple[str, int, int]:
    """A formula: its text, the assignments that satisfy it, its connectives."""
    kind = rng.randrange(9)  # and, or, and, or, and five times a variable
    if kind >= 4 or budget < 2:
        text = rng.choice(names)
        true, size = TRUE[text], 0
    else:
        left, true_left, size_left = _draw(rng, names, budget / 2)
        right, true_right, size_right = _draw(rng, names, budget / 2)
        connective = CONNECTIVES[kind % 2]
        text, size = f"( {left} ( {connective} {right} ) )", size_left + size_right + 1
        true = true_left & true_right if connective == "and" else true_left | true_right
    if rng.randrange(3) == 0:
        text, true, size = f"( not {text} )", ASSIGNMENTS & ~true, size + 1
    return text, true, size


def _close(stack: list[list[Part]], words: Sequence[str]) -> None:
    """Put what a pair of brackets means into what is around it: a set, or a connective with a set."""
    match stack.pop():
        case ["not", int(operand)]:
            stack[-1].append(ASSIGNMENTS & ~operand)
        case [("and" | "or") as connective, int(operand)]:
            stack[-1].append((connective, operand))
        case [int(left), ("and", int(right))]:
            stack[-1].append(left & right)
        case [int(left), ("or", int(right))]:
            stack[-1].append(left | right)
        case _:
            raise _no_formula(words)


def _no_formula(words: Sequence[str]) -> InputError:
    unknown = [word for word in words if word not in WORDS]
    reason = f"there is no word {shown(unknown[0])}" if unknown else "its brackets or words are not in place"
    return InputError(f"expected a formula such as {EXAMPLE}, found {shown(' '.join(words))}: {reason}")
