"""Figures of the evaluation of multilingual_seq2seq for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

MEANS = ("all", "across", "within")
RETRIEVAL = (
    "Share of sentences (rows: their language) whose nearest neighbour in the language of the column is their "
    "translation. On the diagonal only a sentence that occurs twice is missed."
)
TRANSFER = (
    "Share of documents that get the right class in the language of the column, learned from documents in that of the "
    "row alone (mean of the vectors of a document's texts)."
)


def figures(metrics: Metrics) -> list[Figure]:
    """A table languages x languages of each encoder and test, and bars of their means."""
    records = []
    for corpus, encoders in metrics.items():
        for title, caption, tables in (("Retrieval", RETRIEVAL, _retrieval), ("Transfer", TRANSFER, _transfer)):
            for test in dict.fromkeys(test for encoder in encoders.values() for test in tables(encoder)):
                by_name = {name: tables(encoder)[test] for name, encoder in encoders.items() if test in tables(encoder)}
                means = {name: table["across"] for name, table in by_name.items() if table["across"] is not None}
                where = f"{corpus}, {test.replace('_', ' ')}"
                key = f"{title.lower()}-{corpus}-{test}"
                bars = charts.bars({name.replace("_", " "): value for name, value in means.items()}, "mean across")
                records.append(charts.record(key, f"{title} between languages, {where}", caption, bars))
                for name, table in by_name.items():
                    languages = [language for language in table if language not in MEANS]
                    cells = [[table[row][column] for column in languages] for row in languages]
                    chart = charts.heatmap(cells, languages, languages, "share")
                    heading = f"{title}, {where}: {name.replace('_', ' ')}"
                    records.append(charts.record(f"{key}-{name}", heading, caption, chart))
    return records


def rows(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The means between languages, for DVC."""
    plots: dict[str, list[Row]] = {"retrieval": [], "transfer": []}
    for corpus, encoders in metrics.items():
        for name, encoder in encoders.items():
            for kind, tables in (("retrieval", _retrieval(encoder)), ("transfer", _transfer(encoder))):
                plots[kind] += [
                    {"encoder": f"{corpus}: {name}, {test}", "across": table["across"]}
                    for test, table in tables.items()
                    if table["across"] is not None
                ]
    return plots


def _retrieval(encoder: Metrics) -> Metrics:
    return encoder.get("retrieval", {})


def _transfer(encoder: Metrics) -> Metrics:
    return {name: ways["texts_mean"]["zero_shot"] for name, ways in encoder.get("transfer", {}).items()}
