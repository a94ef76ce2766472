"""Figures of the evaluation of multilingual_seq2seq for the report, and rows for DVC's plots."""

from typing import Any

from repline.report import charts

MEANS = ("all", "across", "within")
RETRIEVAL = (
    "Share of sentences (rows: their language) whose nearest neighbour in the language of the column is their "
    "translation. On the diagonal only a sentence that occurs twice is missed."
)
TRANSFER = (
    "Share of documents that get the right class in the language of the column, learned from documents in that of the "
    "row alone (mean of the vectors of a document's texts)."
)


def figures(metrics: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of figures.json: a table languages x languages of each encoder and test, and bars of their means."""
    found = []
    for corpus, encoders in metrics.items():
        for title, caption, tables in (("Retrieval", RETRIEVAL, _retrieval), ("Transfer", TRANSFER, _transfer)):
            for test in dict.fromkeys(test for own in encoders.values() for test in tables(own)):
                with_it = {name: tables(own)[test] for name, own in encoders.items() if test in tables(own)}
                means = {name: table["across"] for name, table in with_it.items() if table["across"] is not None}
                where = f"{corpus}, {test.replace('_', ' ')}"
                key = f"{title.lower()}-{corpus}-{test}"
                bars = charts.bars({name.replace("_", " "): value for name, value in means.items()}, "mean across")
                found.append(charts.record(key, f"{title} between languages, {where}", caption, bars))
                for name, table in with_it.items():
                    languages = [language for language in table if language not in MEANS]
                    cells = [[table[one][other] for other in languages] for one in languages]
                    chart = charts.heatmap(cells, languages, languages, "share")
                    heading = f"{title}, {where}: {name.replace('_', ' ')}"
                    found.append(charts.record(f"{key}-{name}", heading, caption, chart))
    return found


def rows(metrics: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The means between languages, for DVC."""
    found: dict[str, list[dict[str, Any]]] = {"retrieval": [], "transfer": []}
    for corpus, encoders in metrics.items():
        for name, own in encoders.items():
            for kind, tables in (("retrieval", _retrieval(own)), ("transfer", _transfer(own))):
                found[kind] += [
                    {"encoder": f"{corpus}: {name}, {test}", "across": table["across"]}
                    for test, table in tables.items()
                    if table["across"] is not None
                ]
    return found


def _retrieval(encoder: dict[str, Any]) -> dict[str, Any]:
    return encoder.get("retrieval", {})


def _transfer(encoder: dict[str, Any]) -> dict[str, Any]:
    return {name: ways["texts_mean"]["zero_shot"] for name, ways in encoder.get("transfer", {}).items()}
