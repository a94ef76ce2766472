"""Figures of the evaluation of CJ-Glo for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

TITLES = {
    "none": "GloVe, no counts across languages",
    "matching_only": "GloVe, matching characters alone",
    "sen_glo": "SenGlo",
    "cj_glo": "CJ-Glo",
    "cj_glo_match": "CJ-Glo with the match itself",
    "cj_glo_shuffled": "CJ-Glo, matches at random",
    "cj_glo_match_shuffled": "CJ-Glo with the match itself, at random",
    "sen_bow": "SenBow (three losses)",
    "cj_boc": "CJ-BOC (three losses)",
    "cj_boc_match": "CJ-BOC with the match itself",
    "sen_bow_mixed": "SenBow (mixed hidden vector)",
    "cj_boc_mixed": "CJ-BOC (mixed hidden vector)",
    "identical": "fastText, Procrustes on identical words",
    "characters": "fastText, Procrustes on words of like characters",
    "dictionary": "fastText, Procrustes on one-word lines",
}
SWEEPS = {  # matching (lambda) -> variant
    "CJ-Glo": {0: "sen_glo", 0.2: "cj_glo_02", 0.4: "cj_glo", 0.8: "cj_glo_08", 1.6: "cj_glo_16"},
    "with the match itself": {0: "sen_glo", 0.4: "cj_glo_match", 1.6: "cj_glo_match_16"},
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = [
        charts.record(
            "cjc-synonyms",
            "Translations of words, by whether the two share a character",
            "Rank of the translation among all words of the other language, as a rate (mean of both directions, "
            "50 % by chance).",
            _synonyms(metrics),
        ),
        charts.record(
            "cjc-sweep",
            "The weight of matching characters",
            "Mean rate of translations as lambda grows, mu = 0.2.",
            _sweeps(metrics["glove"]),
        ),
    ]
    if any("analogies" in values for _, values in _systems(metrics)):
        records.append(
            charts.record(
                "cjc-analogies",
                "Analogies by their mix of languages",
                "Rank of the fourth word, as a rate, by the number of the four words that are in the first language.",
                _analogies(metrics),
            )
        )
    return records


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    return {
        "synonyms": [
            {"variant": title, "pairs": pairs, "rate": values["synonyms"][key]["rate"]}
            for title, values in _systems(metrics)
            for key, pairs in (("both", "all"), ("sharing", "sharing a character"), ("not_sharing", "not sharing"))
            if values.get("synonyms", {}).get(key, {}).get("rate") is not None
        ],
        "analogies": [
            {"variant": title, "chinese_words": mix, "rate": values["analogies"][f"mix_{mix}"]["rate"]}
            for title, values in _systems(metrics)
            if "analogies" in values
            for mix in range(5)
        ],
    }


def _systems(metrics: Metrics) -> list[tuple[str, Metrics]]:
    """The systems that have a title, with it."""
    every = {name: values for method in ("glove", "cbow", "aligned") for name, values in metrics[method].items()}
    return [(title, every[name]) for name, title in TITLES.items() if name in every]


def _synonyms(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    shown = [(title, values["synonyms"]) for title, values in _systems(metrics) if "synonyms" in values]
    for key, name in (("sharing", "sharing a character"), ("not_sharing", "not sharing one")):
        rates = [values[key]["rate"] for _, values in shown]
        figure.add_bar(x=rates, y=[f" {title} " for title, _ in shown], name=name, orientation="h")
    figure.update_xaxes(title="mean rate, %")
    figure.update_yaxes(autorange="reversed", type="category", dtick=1)
    figure.update_layout(height=160 + 36 * len(shown))
    return figure


def _sweeps(glove: Metrics) -> go.Figure:
    figure = go.Figure()
    for title, points in SWEEPS.items():
        there = {
            x: glove[name]["synonyms"]["both"]["rate"]
            for x, name in points.items()
            if "synonyms" in glove.get(name, {})
        }
        figure.add_scatter(x=list(there), y=list(there.values()), name=title, mode="lines+markers")
    figure.update_xaxes(title="lambda")
    figure.update_yaxes(title="mean rate, %")
    return figure


def _analogies(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    shown_titles = [
        TITLES[name] for name in ("sen_glo", "cj_glo", "sen_bow", "cj_boc", "sen_bow_mixed", "cj_boc_mixed")
    ]
    for title, values in _systems(metrics):
        if title in shown_titles and "analogies" in values:
            rates = [values["analogies"][f"mix_{mix}"]["rate"] for mix in range(5)]
            figure.add_scatter(x=[f"{mix}:{4 - mix}" for mix in range(5)], y=rates, name=title, mode="lines+markers")
    figure.update_xaxes(title="words of the first language : of the second")
    figure.update_yaxes(title="mean rate, %")
    return figure
