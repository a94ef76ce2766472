"""A card of a model says what is recorded, synthetic data first, and shows how the model is used."""

from pathlib import Path

from repline.evaluation.claims import published
from repline.report.model_card import TrainingData, card
from repline.use.folders import Description
from tests.commands import ROOT

HCAN = published.read(ROOT / "stages/hcan/published.yaml")
BIBLE = TrainingData("data/corpora/bible", "Chapters of a Bible", "public domain", False)
GENERATED = TrainingData("data/corpora/made", "Sentences of a generator", "Apache-2.0", True)
ROWS = [
    ([table.caption, *filter(None, (row.dataset, row.variant, row.item, row.column))], row.value)
    for table in HCAN.tables
    for row in table.rows
]
RESULTS = {
    "small": {
        "headline": {
            "value": 0.8,
            "shown": "80.0%",
            "shown_interval": ["75.0%", "85.0%"],
            "label": "accuracy of chapters",
        },
        "numbers": [
            {"row": ["a former table", "cnn"], "published": 1.0, "measured": 2.0, "interval": None},
            {"row": ROWS[0][0], "published": ROWS[0][1], "measured": 70.0, "interval": [69.0, 71.0]},
            *({"row": row, "published": value, "measured": value, "interval": None} for row, value in ROWS[1:21]),
        ],
    }
}


def text(data=(BIBLE,), **options):
    description = Description(Path("data/models/hcan/seed-0"), "hcan", "text_classifier", {})
    options = {"methods": "classify(texts)", "example": 'classify("a text").label', "data": data} | options
    return card(HCAN, description, **options)


def test_what_it_is_and_how_it_is_used():
    written = text()
    assert written.startswith('---\nlibrary_name: "repline"\npipeline_tag: "text-classification"\n')
    assert "# HCAN: text classifier" in written and f"[{HCAN.paper.title}]({HCAN.paper.url})" in written
    assert 'model = repline.load("data/models/hcan/seed-0")\nprint(model.classify("a text").label)' in written
    assert "| data/corpora/bible | Chapters of a Bible | public domain |" in written
    assert "More Information Needed" not in written and "pushed to the Hub" not in written


def test_made_data_come_first():
    assert "Trained on made data" in text([GENERATED]) and text([GENERATED]).index("made data") < text(
        [GENERATED]
    ).index("## Use")
    assert "Trained on made data" not in text([GENERATED, BIBLE])
    assert "| Sentences of a generator (made) |" in text([GENERATED, BIBLE])


def test_training_and_results():
    training = {
        "parameters": 12345,
        "history": [{"epoch": 1, "train_loss": 0.5}, {"epoch": 2, "train_loss": 0.25}],
        "settings": {"epochs": 2, "patience": None},
    }
    written = text(training=training, results=RESULTS)
    assert "- parameters: 12,345" in written and "- epochs: 2; the last: epoch 2, train_loss 0.25" in written
    assert '- settings: `{"epochs": 2}`' in written
    assert "- profile `small`: **80.0%** (75.0% to 85.0%) accuracy" in written
    assert f"| {', '.join(ROWS[0][0])} | {ROWS[0][1]:g} | 70 (69 to 71) |" in written
    assert "a former table" not in written and "9 more are on the system's page" in written


def test_results_with_earlier_parameters_say_so():
    written = text(results=RESULTS, older={"small": ["hcan.recipe"], "real": ["hcan.networks"]})
    assert "accuracy of chapters\n  - `small` was measured before these parameters changed: `hcan.recipe`.\n" in written
    assert "hcan.networks" not in written and "parameters changed" not in text(results=RESULTS)


def test_settings_of_the_own_card_stand_in_for_a_record_of_training():
    assert '- settings: `{"size": 3}`' in text(settings={"size": 3, "dropout": None})
    assert "The folder records nothing of the training." in text()


def test_nothing_measured_is_said():
    assert "No result of this system has been measured yet." in text()
