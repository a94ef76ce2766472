"""Figures of the evaluation of HRRLM for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.manifold import TSNE

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.evaluation.evaluations import Metrics
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.hrrlm.commonest_tags import commonest_tags
from repline.systems.hrrlm.decomposition import CATEGORIES, TRUTHS, Truth, roc, verb_pairs
from repline.systems.hrrlm.evaluation import QUESTIONS
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.settings import Measurement
from repline.systems.hrrlm.word_spaces import SPECIAL, spaces
from stages.folders import RAW
from stages.plot_rows import Row

NAMES = {
    "isometric": "isometric",
    "no_annealing": "isometric, no annealing",
    "tied": "tied LSTM",
    "isometric_converged": "isometric, converged",
    "tied_converged": "tied LSTM, converged",
    "fixed_converged": "fixed, big, converged",
    "fixed_medium_converged": "fixed, medium, converged",
    "fixed_small_converged": "fixed, small, converged",
}
SPACES = {"composite": "composite", "filler_1": "filler 1", "filler_2": "filler 2"}
CLASSES = {  # of Penn tags, in the t-SNE plots
    "VB": "verb, bare",
    "VBP": "verb, bare",
    "VBZ": "verb, -s",
    "VBD": "verb, past",
    "VBN": "verb, past participle",
    "VBG": "verb, -ing",
    "NN": "noun, singular",
    "NNS": "noun, plural",
    "NNP": "name",
    "NNPS": "name",
    "JJ": "adjective",
    "RB": "adverb",
    "IN": "preposition",
}


def figures(
    metrics: Metrics, clusters: Metrics, model: HRRLM, corpus: LanguageModelingCorpus, how: Measurement
) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = [
        charts.record(
            "decomposition",
            "Form and meaning in each filler",
            "AUC with which the cosine finds words of the same form (left) and of the same verb (right). "
            "0.5 is chance. The annealing of the second filler's weight makes the difference, not the binding.",
            _decomposition(metrics["words"]),
        ),
        charts.record(
            "perplexity",
            "Validation perplexity by epoch",
            "Every variant, and the tied LSTM of the same size.",
            _epochs(metrics["words"]),
        ),
        charts.record(
            "tsne",
            "The fillers of frequent words",
            f"t-SNE of the {how.tsne_words} most frequent words in the space of each filler, by part of speech.",
            _tsne(model, corpus, how),
        ),
    ]
    curves = _roc(model, corpus)
    if curves is not None:
        records.append(
            charts.record(
                "roc",
                "ROC curves of two categories",
                "Same form among present participles, same verb among plural verbs, as in the paper's Figure 3.",
                curves,
            )
        )
    if "filler_1" in metrics["chunks"]:
        records.append(
            charts.record(
                "chunk-roles",
                "Roles of chunks among their neighbours",
                "Hit rate at k: the share of a chunk's k nearest chunks that have the same role in the clause.",
                _chunks(metrics["chunks"]),
            )
        )
    if clusters.get("filler_1"):
        records.append(
            charts.record(
                "clusters",
                f"Clusters of “{clusters['phrase']}”",
                f"k-means on filler 1 of {clusters['occurrences']} occurrences: each cluster's commonest position.",
                _clusters(clusters["filler_1"]),
            )
        )
    return records


def plots(metrics: Metrics, clusters: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    words = metrics["words"]
    return {
        "decomposition": [
            {"variant": _name(variant), "space": SPACES.get(space, space), "truth": truth, "auc": areas[truth]}
            for variant, variant_metrics in words.items()
            for space, areas in variant_metrics["decomposition"].items()
            for truth in TRUTHS
            if areas[truth] is not None
        ],
        "perplexity": [
            {"variant": _name(variant), "epoch": epoch, "perplexity": value}
            for variant, variant_metrics in words.items()
            for epoch, value in enumerate(variant_metrics["validation_perplexity_by_epoch"], 1)
        ],
        "clusters": [
            {"filler": SPACES[key], "phrase": clusters["phrase"], **row}
            for key in SPACES
            for row in clusters.get(key, [])
        ],
    }


def _name(variant: str) -> str:
    return NAMES.get(variant, variant.replace("_", " "))


def _decomposition(words: Metrics) -> go.Figure:
    figure = make_subplots(1, 2, shared_yaxes=True, subplot_titles=("same form", "same verb"))
    for space, shown in SPACES.items():
        for column, truth in enumerate(TRUTHS, 1):
            areas = {
                _name(variant): variant_metrics["decomposition"][space][truth]
                for variant, variant_metrics in words.items()
                if variant_metrics["decomposition"].get(space, {}).get(truth) is not None
            }
            figure.add_bar(x=list(areas), y=list(areas.values()), name=shown, showlegend=column == 1, row=1, col=column)
    figure.update_yaxes(range=[0.3, 1], title="AUC", col=1)
    figure.update_layout(barmode="group")
    return figure


def _epochs(words: Metrics) -> go.Figure:
    figure = go.Figure()
    for variant, variant_metrics in words.items():
        values = variant_metrics["validation_perplexity_by_epoch"]
        figure.add_scatter(x=list(range(1, len(values) + 1)), y=values, name=_name(variant), mode="lines+markers")
    figure.update_xaxes(title="epoch", dtick=1 if len(values) < 12 else None)
    figure.update_yaxes(title="perplexity")
    return figure


def _tsne(model: HRRLM, corpus: LanguageModelingCorpus, how: Measurement) -> go.Figure:
    shown_rows = slice(SPECIAL, SPECIAL + how.tsne_words)
    words = corpus.words[shown_rows]
    try:
        classes = [CLASSES.get(tag, "other") for tag in commonest_tags(corpus)[shown_rows]]
    except InputError:  # text without tags
        classes = ["word"] * len(words)
    points_of_space = {
        space: _map(matrix[shown_rows], how.seed) for space, matrix in spaces(model).items() if space != "composite"
    }
    figure = make_subplots(
        1, len(points_of_space), subplot_titles=[SPACES.get(space, space) for space in points_of_space]
    )
    for name in sorted(set(classes)):
        members = [row for row, tag_class in enumerate(classes) if tag_class == name]
        for column, points in enumerate(points_of_space.values(), 1):
            figure.add_scatter(
                x=points[members, 0].round(2).tolist(),
                y=points[members, 1].round(2).tolist(),
                text=[words[row] for row in members],
                hoverinfo="text",
                mode="markers",
                marker={"size": 5},
                name=name,
                legendgroup=name,
                showlegend=column == 1,
                row=1,
                col=column,
            )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.update_layout(height=560)
    return figure


def _map(vectors: np.ndarray, seed: int) -> np.ndarray:
    """[n, d] -> [n, 2]; cosine distances, as neighbours are judged everywhere here."""
    perplexity = min(30.0, (len(vectors) - 1) / 3)
    return TSNE(2, perplexity=perplexity, metric="cosine", init="random", random_state=seed).fit_transform(vectors)


def _roc(model: HRRLM, corpus: LanguageModelingCorpus) -> go.Figure | None:
    pairs = verb_pairs(*read_analogies(RAW / QUESTIONS))
    shown: tuple[tuple[Truth, str], ...] = (("syntactic", CATEGORIES[2]), ("semantic", CATEGORIES[0]))
    figure = make_subplots(1, 2, subplot_titles=[f"{truth}: {category}" for truth, category in shown])
    try:
        for space, matrix in spaces(model).items():
            embedding = Embedding(corpus.words[SPECIAL:], matrix[SPECIAL:])
            for column, (truth, category) in enumerate(shown, 1):
                false, true = roc(embedding, pairs[category], truth)
                name = SPACES.get(space, space)
                figure.add_scatter(
                    x=false,
                    y=true,
                    name=name,
                    legendgroup=name,
                    showlegend=column == 1,
                    mode="lines",
                    row=1,
                    col=column,
                )
    except ValueError:  # too few of the pairs are words of the corpus
        return None
    figure.update_xaxes(title="false positive rate")
    figure.update_yaxes(title="true positive rate", col=1)
    return figure


def _chunks(chunks: Metrics) -> go.Figure:
    figure = go.Figure()
    for key in ("filler_1", "filler_2"):
        if key in chunks:
            rates = {
                int(name.rsplit("_", 1)[1]): value for name, value in chunks[key].items() if name.startswith("hit")
            }
            rates = dict(sorted(rates.items()))
            figure.add_scatter(x=list(rates), y=list(rates.values()), name=SPACES[key], mode="lines+markers")
    figure.update_xaxes(title="k")
    figure.update_yaxes(title="hit rate")
    return figure


def _clusters(table: Sequence[Row]) -> go.Figure:
    names = [f"{number}: {row['label']} ({row['size']})" for number, row in enumerate(table, 1)]
    figure = go.Figure(go.Bar(x=[row["share"] for row in table], y=names, orientation="h"))
    figure.update_xaxes(title="share of the commonest position", range=[0, 1], tickformat=".0%")
    figure.update_yaxes(type="category", autorange="reversed")
    return figure
