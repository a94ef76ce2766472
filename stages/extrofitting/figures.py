"""Figures of the evaluation of extrofitting for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

NAMES = {
    "base": "as they are",
    "centred": "centred",
    "whitened": "whitened, no lexicon",
    "retrofitting": "retrofitting",
    "extrofitting": "extrofitting",
    "edges": "covariance of edges",
    "components": "connected components",
    "permuted_in_lexicon": "labels permuted within the lexicon",
    "permuted": "labels permuted",
    "expanded": "expanded by neighbourhood",
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report: a table of colours for each lexicon."""
    records = []
    for vectors, measured in metrics.items():
        tests = list(measured["base"])
        for lexicon in (name for name in measured if name not in NAMES):
            rows = {name: measured.get(name) or measured[lexicon].get(name) for name in NAMES}
            values = [[rows[name][test]["spearman"] for test in tests] for name in NAMES]
            records.append(
                charts.record(
                    f"similarity-{vectors}-{lexicon}",
                    f"Word similarity with {lexicon}",
                    "Spearman correlation over the pairs whose words are known. Compare each line with whitening "
                    "without a lexicon: what is above it, the lexicon adds.",
                    charts.heatmap(values, list(NAMES.values()), tests, "Spearman"),
                )
            )
    return records


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: one row a method, lexicon and test."""
    rows = []
    for measured in metrics.values():
        for lexicon in (name for name in measured if name not in NAMES):
            for method in NAMES:
                for test, scores in (measured.get(method) or measured[lexicon][method]).items():
                    label = f"{test}: {NAMES[method]} ({lexicon})"
                    rows.append({"vectors": label, "test": test, "lexicon": lexicon, "spearman": scores["spearman"]})
    return {"similarity": rows}
