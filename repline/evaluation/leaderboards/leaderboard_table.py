"""A leaderboard as lines for a terminal."""

from collections.abc import Sequence

from repline.evaluation.leaderboards.leaderboard import Difference, Leaderboard, TestBoard

NONE = "-"  # a value, interval, p, verdict or rank that is not there


def as_text(board: Leaderboard) -> str:
    """Each test with its candidates by rank group, their coverage, and each pair with its interval and verdict."""
    number = sum(row["verdict"] is not None for test in board["tests"] for row in test["differences"])
    comparisons = "one comparison" if number == 1 else f"{number:,} comparisons"
    note = "\n".join(
        [
            "Values are on the shared items, [ ] is the 95 % interval of a difference over "
            f"{board['replicates']:,} paired resamples.",
            f"Verdicts are adjusted for {comparisons} ({board['correction']}): the chance that any is wrong is about "
            f"{board['level']:.0%}.",
            "Candidates that cannot be told apart share a rank.",
        ]
        if number
        else ["Values are on the shared items. No difference has a verdict."]
    )
    empty = [f"{test}: no item that all candidates can answer" for test in board["without_shared_items"]]
    return "\n\n".join([*map(_test, board["tests"]), *empty, note])


def sentence(difference: Difference) -> str:
    """The verdict on a pair in words, `-` for none."""
    return f"{difference['first']} above {difference['second']}: {difference['verdict'] or NONE}"


def _test(test: TestBoard) -> str:
    ranks = [
        [
            NONE if standing["rank"] is None else str(standing["rank"]),
            standing["candidate"],
            NONE if standing["value"] is None else f"{standing['value']:.4f}",
            f"{standing['answered']:,} of {test['items']:,}",
        ]
        for standing in test["standings"]
    ]
    pairs = [
        [
            NONE if row["difference"] is None else f"{row['difference']:+.4f}",
            NONE if row["interval"] is None else f"[{row['interval'][0]:+.4f}, {row['interval'][1]:+.4f}]",
            f"p {NONE}" if row["adjusted_p"] is None else f"p {row['adjusted_p']:.3f}",
            sentence(row),
        ]
        for row in test["differences"]
    ]
    head = f"{test['test']}: {test['measure']} on {test['shared']:,} shared items of {test['items']:,}"
    table = _aligned([["rank", "candidate", "value", "answers"], *ranks])
    return "\n".join([head, *table, *_aligned(pairs), *(f"  {note}" for note in test["notes"])])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
