"""The last step of every system's `evaluate`: judge its claims, write metrics, replicates, claims, figures, plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from repline import parameters
from repline.evaluation.claims import judgement
from repline.evaluation.claims.judgement import Verdict
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Replicate
from repline.evaluation.replication import replicate_files
from repline.files import new_folder, write_json
from repline.report.figures import Figure
from stages.plot_rows import Row


def conclude(
    system: str,
    evaluation: Evaluation | Metrics,
    figures: Sequence[Figure],
    plots: Mapping[str, Sequence[Row]],
    repeated: Sequence[Replicate] = (),
) -> None:
    """Write data/evaluation/<system>/: {metrics,claims,figures}.json, replicates.parquet, plots/*.json; print verdicts.

    Args:
        system: the folder of stages/ whose claims.yaml is judged.
        evaluation: what was measured; claims name its numbers.
        figures: for the report.
        plots: the rows of each of DVC's plots.

    Raises:
        InputError: claims.yaml is wrong.
    """
    if not isinstance(evaluation, Evaluation):
        evaluation = Evaluation(evaluation, repeated)
    profile = str(parameters.read().get("profile"))
    claims = judgement.read(f"stages/{system}/claims.yaml")
    verdicts = judgement.check(claims, evaluation.metrics, profile, evaluation.replicates, evaluation.not_converged)
    folder = Path("data/evaluation") / system
    for name, content in (
        ("metrics", evaluation.metrics),
        ("claims", [verdict.as_json() for verdict in verdicts]),
        ("figures", [figure.as_json() for figure in figures]),
    ):
        write_json(folder / f"{name}.json", content)
    replicate_files.write(folder / "replicates.parquet", evaluation.replicates)
    with new_folder(folder / "plots") as partial:
        for name, rows in plots.items():
            write_json(partial / f"{name}.json", labelled(rows))
    for verdict in verdicts:
        print(f"{verdict.verdict:>9}  {verdict.text}{_measured(verdict)}")


def labelled(rows: Sequence[Row]) -> list[Row]:
    """The rows of a plot, each with the key `bar`: what tells it from the others, in words.

    A chart of bars adds the numbers of rows that share a bar. The words are the row's texts; where rows have the same
    texts, its whole numbers are added one by one, and then a number of its own.

    >>> [row["bar"] for row in labelled([{"model": "a", "k": 1, "score": 0.5}, {"model": "a", "k": 2, "score": 0.7}])]
    ['a, k 1', 'a, k 2']
    """
    if not rows:
        return []
    texts = [key for key in rows[0] if all(isinstance(row.get(key), str) for row in rows)]
    varying = [key for key in texts if len({row[key] for row in rows}) > 1] or texts[:1]
    bars = [[str(row[key]) for key in varying] for row in rows]
    for key in (key for key in rows[0] if all(isinstance(row.get(key), int) for row in rows)):
        if len(set(map(tuple, bars))) == len(rows):
            break
        bars = [[*bar, f"{key} {row[key]}"] for bar, row in zip(bars, rows, strict=True)]
    words = [", ".join(bar) for bar in bars]
    repeated = [words[:number].count(word) for number, word in enumerate(words)]
    return [
        {**row, "bar": f"{word} ({times + 1})" if times else word}
        for row, word, times in zip(rows, words, repeated, strict=True)
    ]


def _measured(verdict: Verdict) -> str:
    if verdict.measured is None:
        return ""
    low, high = verdict.interval or (None, None)
    margin = "" if low is None else f", margin {verdict.margin:.3g} from {low:.3g} to {high:.3g}"
    return f" [{verdict.measured:.4g}, expected {verdict.expected}{margin}]"
