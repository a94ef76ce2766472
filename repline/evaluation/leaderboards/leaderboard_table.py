"""A leaderboard as lines for a terminal."""

from collections.abc import Sequence

from repline.evaluation.leaderboards.leaderboard import Difference, Leaderboard, TestBoard


def as_text(board: Leaderboard) -> str:
    """Each test with its candidates by rank group, their coverage, and each pair with its interval and verdict."""
    number = sum(len(test["differences"]) for test in board["tests"])
    comparisons = "one comparison" if number == 1 else f"{number:,} comparisons"
    note = (
        f"Values are on the shared items, [ ] is the 95 % interval of a difference over {board['replicates']:,} paired "
        f"resamples.\nVerdicts are adjusted for {comparisons} ({board['correction']}): the chance that "
        f"any is wrong is about {board['level']:.0%}.\nCandidates that cannot be told apart share a rank."
    )
    empty = [f"{test}: no item that all candidates can answer" for test in board["without_shared_items"]]
    return "\n\n".join([*map(_test, board["tests"]), *empty, note])


def sentence(difference: Difference) -> str:
    """The verdict on a pair in words."""
    return f"{difference['first']} above {difference['second']}: {difference['verdict']}"


def _test(test: TestBoard) -> str:
    ranks = [
        [
            str(standing["rank"]),
            standing["candidate"],
            f"{standing['value']:.4f}",
            f"{standing['answered']:,} of {test['items']:,}",
        ]
        for standing in test["standings"]
    ]
    pairs = [
        [
            f"{row['difference']:+.4f}",
            f"[{row['interval'][0]:+.4f}, {row['interval'][1]:+.4f}]",
            f"p {row['adjusted_p']:.3f}",
            sentence(row),
        ]
        for row in test["differences"]
    ]
    head = f"{test['test']}: {test['measure']} on {test['shared']:,} shared items of {test['items']:,}"
    table = _aligned([["rank", "candidate", "value", "answers"], *ranks])
    return "\n".join([head, *table, *_aligned(pairs)])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
