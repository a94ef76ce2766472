"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.visual_characters.neighbours import NEIGHBOURS_SHOWN, Neighbours
from repline.systems.visual_characters.settings import Settings
from stages.plot_rows import Row

SPLITS = ("dev", "test")
UNSEEN = {"all": "all characters", "dropped": "seen ones", "alone": "alone, drawn", "bias": "alone, not drawn"}
TAGGING = {"f1": "words and tags", "words": "words", "tags": "tags"}
TRANSLATION = {"greedy": "greedy", "bleu": "beam", "low": "low", "mid": "mid", "high": "high"}


def figures(evaluation: Evaluation, settings: Settings) -> list[Figure]:
    """The records of figures.json, for the report."""
    metrics, nearest = evaluation.metrics, evaluation.details["neighbours"]
    glosses = metrics["glosses"]
    return [
        charts.record(
            "neighbours",
            "The characters that lie nearest",
            f"First column: the character. Then, {NEIGHBOURS_SHOWN} each, those that differ in the fewest pixels, and "
            f"those with the most similar vectors of {', '.join(nearest.columns[1:])}.",
            _picture(nearest),
        ),
        charts.record(
            "glosses",
            "The dictionary task, by encoder",
            "Share of words with a right gloss among the ten most probable ones; mean of the seeds.",
            charts.heatmap(
                [[scores[split]["hits"] for split in SPLITS] for scores in glosses.values()],
                list(glosses),
                list(SPLITS),
                "hits at 10",
            ),
        ),
        charts.record(
            "unseen",
            "Words with a character that is not in training",
            "Hits at 10 of words that have other characters as well, from all characters and without the unseen one; "
            "and of that character alone, from its picture and from the frequencies of the glosses.",
            _heatmap({name: scores["unseen"] for name, scores in glosses.items()}, UNSEEN, "hits at 10"),
        ),
        *(
            charts.record(
                f"tagging-{corpus}",
                f"Segmentation and tags: {corpus}",
                "F1 of words with their tags, of words, and the share of characters with the right tag.",
                _heatmap(
                    {name: scores for name, scores in corpus_scores.items() if name != "sentences"}, TAGGING, "score"
                ),
            )
            for corpus, corpus_scores in metrics["tagging"].items()
        ),
        charts.record(
            "translation",
            "Translation, by encoder",
            "BLEU of greedy and of beam search, and of the beam by the frequency of the sentence's characters.",
            _heatmap(
                {name: metrics["translation"][name] for name in settings.translation.encoders}, TRANSLATION, "BLEU"
            ),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`."""
    glosses = [{"encoder": name, "hits": scores["test"]["hits"]} for name, scores in metrics["glosses"].items()]
    tagging = [
        {"tagger": f"{corpus}: {name}", "f1": scores["f1"]}
        for corpus, corpus_scores in metrics["tagging"].items()
        for name, scores in corpus_scores.items()
        if "f1" in scores
    ]
    return {"glosses": glosses, "tagging": tagging}


def _heatmap(scores: dict[str, Metrics], columns: dict[str, str], unit: str) -> go.Figure:
    cells = [[row_scores.get(key) for key in columns] for row_scores in scores.values()]
    return charts.heatmap(cells, list(scores), list(columns.values()), unit)


def _picture(nearest: Neighbours) -> go.Figure:
    figure = go.Figure(
        go.Heatmap(
            z=nearest.pixels, colorscale=[[0, "rgba(0,0,0,0)"], [1, "#4477aa"]], showscale=False, hoverinfo="skip"
        )
    )
    height, width = len(nearest.pixels), len(nearest.pixels[0])
    step = width / (1 + len(nearest.columns) * (NEIGHBOURS_SHOWN + 1))
    ticks = [
        step * (2 + number * (NEIGHBOURS_SHOWN + 1) + (NEIGHBOURS_SHOWN - 1) / 2)
        for number in range(len(nearest.columns))
    ]
    figure.update_xaxes(tickvals=ticks, ticktext=nearest.columns, side="top", showgrid=False)
    figure.update_yaxes(visible=False, autorange="reversed", scaleanchor="x")
    table = {"columns": ["character", *nearest.columns], "rows": nearest.rows}
    figure.update_layout(height=80 + 2 * height, meta=table)  # what the pixels show, for those who cannot see it
    return figure
