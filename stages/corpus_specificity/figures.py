"""Figures of the evaluation of corpus specificity for the report, and rows for DVC's plots."""

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

MODELS = {"lsa": "LSA", "word2vec": "word2vec"}
METHODS = {"out_of_domain": "out-of-domain documents removed", "random": "random documents removed"}
TESTS = {"categories": ("Categories", "silhouette"), "synonyms": ("Synonyms", "correct answers, %")}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = []
    for model, test, result in _results(metrics):
        title, axis = TESTS[test]
        records += [
            charts.record(
                f"{model}-{test}-size",
                f"{title} by corpus size, {MODELS[model]}",
                "The best dimensionality at every size, by its mean over the samples; bars are standard errors. "
                "The dimensionality is chosen on the test itself, as in the paper.",
                _by_size(result, axis),
            ),
            charts.record(
                f"{model}-{test}-dimensions",
                f"{title} by dimensionality, {MODELS[model]}",
                "The whole corpus, and the two corpora of the smallest size: the documents with a word of the test, "
                "and as many at random.",
                _by_dimension(result, axis),
            ),
        ]
    return records


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, a row a size and method, or a dimensionality and corpus."""
    sizes: dict[str, list[Row]] = {test: [] for test in TESTS}
    dimensions: dict[str, list[Row]] = {test: [] for test in TESTS}
    for model, test, result in _results(metrics):
        for method, documents, score, error in _curves(result):
            sizes[test].append({"model": f"{MODELS[model]}, {method}", "documents": documents, **_ends(score, error)})
        for corpus, point in _points(result):
            for k, score in point["scores"].items():
                ends = _ends(score, point["standard_errors"][k])
                dimensions[test].append({"model": f"{MODELS[model]}, {corpus}", "k": int(k), **ends})
    by_size = {f"{test}_by_size": rows for test, rows in sizes.items()}
    return by_size | {f"{test}_by_dimension": rows for test, rows in dimensions.items()}


def _ends(score: float, error: float | None) -> dict[str, float]:
    return {"score": score, "low": score - (error or 0), "high": score + (error or 0)}


def _by_size(result: Metrics, axis: str) -> go.Figure:
    figure = go.Figure()
    rows = list(_curves(result))
    for method in METHODS.values():
        method_rows = [row for row in rows if row[0] == method]
        error = {"type": "data", "array": [error for *_, error in method_rows], "thickness": 1}
        sizes, scores = [row[1] for row in method_rows], [row[2] for row in method_rows]
        figure.add_scatter(x=sizes, y=scores, error_y=error, name=method, mode="lines+markers")
    figure.update_xaxes(title="documents")
    figure.update_yaxes(title=axis)
    return figure


def _by_dimension(result: Metrics, axis: str) -> go.Figure:
    figure = go.Figure()
    for corpus, point in _points(result):
        dimensions = sorted(point["scores"], key=int)
        error = {"type": "data", "array": [point["standard_errors"][k] for k in dimensions], "thickness": 1}
        scores = [point["scores"][k] for k in dimensions]
        figure.add_scatter(x=dimensions, y=scores, error_y=error, name=corpus, mode="lines+markers")
    figure.update_xaxes(title="dimensions", type="category")
    figure.update_yaxes(title=axis)
    return figure


def _results(metrics: Metrics) -> Iterator[tuple[str, str, Metrics]]:
    for model in MODELS:
        for test in TESTS:
            if test in metrics[model]:
                yield model, test, metrics[model][test]


def _curves(result: Metrics) -> Iterator[tuple[str, int, float, float | None]]:
    """Method, documents, score and its error; the whole corpus ends the curve of every method."""
    full = result["full"]
    for method, name in METHODS.items():
        curve = result.get(method, {"sizes": [], "best": [], "standard_error": []})
        yield from ((name, *row) for row in zip(curve["sizes"], curve["best"], curve["standard_error"], strict=True))
        yield name, full["documents"], full["best"], full["standard_error"]


def _points(result: Metrics) -> Iterator[tuple[str, Metrics]]:
    yield "the whole corpus", result["full"]
    for method, name in METHODS.items():
        if method in result:
            yield name, result[method]["smallest"]
