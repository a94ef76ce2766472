"""Figures of the evaluation for the report, and rows for DVC's plots."""

from typing import Any, NamedTuple

import plotly.graph_objects as go

from repline.glyphs.bitmaps import Bitmaps
from repline.report import charts
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.neighbours import nearest_in_pixels, nearest_in_vectors, overlap, picture
from stages.visual_characters.measure_glosses import training_counts

NEAREST = 4  # neighbours that are shown
COUNTED = 10  # and compared
SCORES = ("f1", "words", "tags")


class Neighbours(NamedTuple):
    """The picture of the neighbours, what its columns show, and how far the two kinds of neighbours are the same.

    rows: of each character itself, and its neighbours in every column.
    """

    pixels: list[list[int]]
    columns: list[str]
    rows: list[list[str]]
    overlaps: dict[str, float]


def neighbours(found: dict[str, list[GlossModel]], bitmaps: Bitmaps, shown: str) -> Neighbours:
    """Of some characters those nearest in pixels and in the vectors of each encoder, among the characters of training.

    overlaps: the share of the ten nearest in vectors that are among the ten nearest in pixels, of all characters.
    """
    among = (training_counts(bitmaps).nonzero()[:, 0] - 1).tolist()
    rows = [bitmaps.rows[one] for one in shown if bitmaps.rows.get(one) in set(among)] or among[:6]
    lists = {"pixels": nearest_in_pixels(bitmaps, rows, among, NEAREST)}
    every = nearest_in_pixels(bitmaps, among, among, COUNTED)
    overlaps = {}
    for name, of_seeds in found.items():
        table = of_seeds[0].encoder.cached_table()[1:]
        lists[name] = nearest_in_vectors(table, rows, among, NEAREST)
        overlaps[name] = overlap(nearest_in_vectors(table, among, among, COUNTED), every)
    lines = [[row] + [one for own in lists.values() for one in (None, *own[place])] for place, row in enumerate(rows)]
    named = [
        [
            "".join(bitmaps.characters[one] for one in group)
            for group in ([row], *(own[place] for own in lists.values()))
        ]
        for place, row in enumerate(rows)
    ]
    return Neighbours(picture(bitmaps, lines).tolist(), list(lists), named, overlaps)


def figures(metrics: dict[str, Any], nearest: Neighbours) -> list[dict[str, Any]]:
    """The records of figures.json, for the report."""
    glosses, translation = metrics["glosses"], metrics["translation"]
    translators = [name for name, found in translation.items() if isinstance(found, dict) and "bleu" in found]
    columns = ["dev", "test"]
    records = [
        charts.record(
            "neighbours",
            "The characters that lie nearest",
            f"First column: the character. Then, {NEAREST} each, those that differ in the fewest pixels, and those "
            f"with the most similar vectors of {', '.join(nearest.columns[1:])}.",
            _picture(nearest),
        ),
        charts.record(
            "glosses",
            "The dictionary task, by encoder",
            "Share of words with a right gloss among the ten most probable ones; mean of the seeds.",
            charts.heatmap(
                [[found[part]["hits"] for part in columns] for found in glosses.values()],
                list(glosses),
                columns,
                "hits at 10",
            ),
        ),
        charts.record(
            "unseen",
            "Words with a character that training had not",
            "Hits at 10 of words with other characters beside it, from all characters and without the unseen one; and "
            "of that character alone, from its picture and from the frequencies of the glosses.",
            charts.heatmap(
                [[found["unseen"][key] for key in ("all", "dropped", "alone", "bias")] for found in glosses.values()],
                list(glosses),
                ["all characters", "seen ones", "alone, drawn", "alone, not drawn"],
                "hits at 10",
            ),
        ),
    ]
    for corpus, found in metrics["tagging"].items():
        scored = {name: one for name, one in found.items() if name != "sentences"}
        records.append(
            charts.record(
                f"tagging-{corpus}",
                f"Segmentation and tags: {corpus}",
                "F1 of words with their tags, of words, and the share of characters with the right tag.",
                charts.heatmap(
                    [[one.get(key) for key in SCORES] for one in scored.values()],
                    list(scored),
                    ["words and tags", "words", "tags"],
                    "score",
                ),
            )
        )
    records.append(
        charts.record(
            "translation",
            "Translation, by encoder",
            "BLEU of greedy and of beam search, and of the beam by the frequency of the sentence's characters.",
            charts.heatmap(
                [[translation[name][key] for key in ("greedy", "bleu", "low", "mid", "high")] for name in translators],
                translators,
                ["greedy", "beam", "low", "mid", "high"],
                "BLEU",
            ),
        )
    )
    return records


def plots(metrics: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The tables behind `dvc plots`."""
    glosses = [{"encoder": name, "hits": found["test"]["hits"]} for name, found in metrics["glosses"].items()]
    tagging = [
        {"tagger": f"{corpus}: {name}", "f1": one["f1"]}
        for corpus, found in metrics["tagging"].items()
        for name, one in found.items()
        if "f1" in one
    ]
    return {"glosses": glosses, "tagging": tagging}


def _picture(nearest: Neighbours) -> go.Figure:
    figure = go.Figure(
        go.Heatmap(
            z=nearest.pixels, colorscale=[[0, "rgba(0,0,0,0)"], [1, "#4477aa"]], showscale=False, hoverinfo="skip"
        )
    )
    height, width = len(nearest.pixels), len(nearest.pixels[0])
    step = width / (1 + len(nearest.columns) * (NEAREST + 1))
    places = [step * (2 + number * (NEAREST + 1) + (NEAREST - 1) / 2) for number in range(len(nearest.columns))]
    figure.update_xaxes(tickvals=places, ticktext=nearest.columns, side="top", showgrid=False)
    figure.update_yaxes(visible=False, autorange="reversed", scaleanchor="x")
    table = {"columns": ["character", *nearest.columns], "rows": nearest.rows}
    figure.update_layout(height=80 + 2 * height, meta=table)  # what the pixels show, for those who cannot see it
    return figure
