"""Cards of saved models, README.md in their folders, generated from what is recorded of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repline.evaluation.claims.published import Published
from repline.parameters import Values
from repline.report.gallery import effect
from repline.report.readme import cell
from repline.report.result_page import measured_before, with_interval
from repline.report.result_records import SystemResults
from repline.use.folders import Description

if TYPE_CHECKING:  # it imports torch
    from repline.training.history import TrainingRecord

ROWS = 12  # numbers of the paper that a card shows
# what the Hub calls the task of a method
TASKS = {
    "classify": "text-classification",
    "translate": "translation",
    "encode": "sentence-similarity",
    "score": "text-generation",
    "label": "token-classification",
    "caption": "text-generation",
}


@dataclass(frozen=True)
class TrainingData:
    """A folder that a model was trained on.

    Attributes:
        is_made: all of it, word vectors apart, was drawn by a generator of this project.
        is_own: it is of files that no source of this project names.
    """

    folder: str
    description: str
    licence: str
    is_made: bool = False
    is_own: bool = False


def card(
    published: Published,
    description: Description,
    *,
    methods: str,
    example: str,
    data: Sequence[TrainingData],
    training: "TrainingRecord | None" = None,
    settings: Values | None = None,
    results: Mapping[str, SystemResults] | None = None,
    older: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The card of one saved model as Markdown, with the metadata that the Hub reads.

    Args:
        published: the system's paper and its numbers.
        description: of the model's folder.
        methods: of the loaded object, as "classify(texts)".
        example: a call of the loaded object, as 'classify("a text")'; it is of the project's data, and left out where a
            model was trained on others.
        data: what it was trained on.
        training: the training.json next to the model; None where it has none.
        settings: of the folder's own card, where there is no training.json.
        results: by profile, the system's entry of the reference results.
        older: by profile, the parameters that have changed since these were measured.
    """
    system, paper = published.system, published.paper
    is_own = any(folder.is_own for folder in data)
    metadata = {
        "library_name": "repline",
        "pipeline_tag": TASKS.get(methods.partition("(")[0]),
        "tags": ["repline", description.system, description.kind],
    }
    lines = [
        "---",
        *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in metadata.items() if value),
        "---",
        "",
        f"# {system.title}: {description.kind.replace('_', ' ')}",
        "",
        *_limits(data),
        f"{system.summary} This is a model of [{paper.title}]({paper.url}) ({paper.authors}, {paper.venue}), "
        "trained by repline; it is not the authors' own.",
        "",
        "## Use",
        "",
        "```python",
        "import repline",
        "",
        f'model = repline.load("{description.folder.as_posix()}")',
        "help(model)" if is_own else f"print(model.{example})",
        "```",
        "",
        f"Methods: `{methods}`. In a shell: `repline predict {description.folder.as_posix()} FILE`.",
        "",
        "## Training",
        "",
        *_data_table(data),
        *_training_lines(training, settings),
        "",
        "## Results of the system",
        "",
        *(
            ["This model has other training data than the models that were measured, so these are not its results.", ""]
            * is_own
        ),
        "Measured on this project's test data; in brackets the 95 % interval over seeds and test items.",
        "",
        *_result_lines(results or {}, published, older or {}),
        "",
    ]
    return "\n".join(lines)


def _limits(data: Sequence[TrainingData]) -> list[str]:
    """What a user must know first."""
    texts = [folder for folder in data if not folder.folder.startswith("data/vectors/")]
    if texts and all(folder.is_made for folder in texts):
        return [
            "**Trained on made data**: a generator drew its texts or symbols by rules. The model knows no real texts.",
            "",
        ]
    return []


def _data_table(data: Sequence[TrainingData]) -> list[str]:
    if not data:
        return ["No stage says what it was trained on.", ""]
    lines = ["| data | what it is | licence |", "| --- | --- | --- |"]
    for folder in data:
        what = folder.description + (" (made)" if folder.is_made else "")
        lines.append(f"| {cell(folder.folder)} | {cell(what)} | {cell(folder.licence)} |")
    return [*lines, "", "It can be expected to work on data like these, and not on others.", ""]


def _training_lines(training: "TrainingRecord | None", settings: Values | None) -> list[str]:
    lines = []
    if training and (parameters := training.get("parameters")):
        lines.append(f"- parameters: {parameters:,}")
    if training and (history := training.get("history")):
        last = {key: value for key, value in history[-1].items() if isinstance(value, int | float)}
        lines.append(f"- epochs: {len(history)}; the last: " + ", ".join(f"{k} {v:.4g}" for k, v in last.items()))
    recorded = training.get("settings") if training else settings
    if settings := {key: value for key, value in (recorded or {}).items() if value is not None}:
        lines.append(f"- settings: `{json.dumps(settings, ensure_ascii=False, sort_keys=True)}`")
    return lines or ["The folder records nothing of the training."]


def _result_lines(
    results: Mapping[str, SystemResults], published: Published, older: Mapping[str, Sequence[str]]
) -> list[str]:
    """Headlines, and measured numbers beside those that the paper prints; older runs may have rows of former tables."""
    in_paper = {
        (table.caption, *filter(None, (row.dataset, row.variant, row.item, row.column))): row.value
        for table in published.tables
        for row in table.rows
    }
    lines = []
    for profile, system in results.items():
        headline = system["headline"]
        if headline.get("value") is not None:
            lines.append(f"- profile `{profile}`: {effect(system)} {headline['label']}")
            lines += [f"  - {sentence}" for sentence in measured_before({profile: older.get(profile, ())})]
    rows: dict[tuple[str, ...], dict[str, float | str]] = {}
    for profile, system in results.items():
        for number in system["numbers"]:
            if (key := tuple(number["row"])) in in_paper:
                row = rows.setdefault(key, {"published": in_paper[key]})
                row[profile] = with_interval(number["measured"], number.get("interval"))
    if rows:
        lines += [
            "",
            "| of the paper | published | " + " | ".join(results) + " |",
            "| --- |" + " --- |" * (len(results) + 1),
        ]
        for key, values in list(rows.items())[:ROWS]:
            measured = [values.get(profile, "") for profile in results]
            lines.append("| " + " | ".join(map(cell, (", ".join(key), values["published"], *measured))) + " |")
        if len(rows) > ROWS:
            lines.append(f"\n{len(rows) - ROWS} more are on the system's page.")
    return lines or ["No result of this system has been measured yet."]
