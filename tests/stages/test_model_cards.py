"""Cards of models against their sources: licences of sources.yaml, published.yaml, metrics and results."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from repline import yaml_text
from repline.cards import write_card
from repline.evaluation.claims import published
from repline.report import model_card, reference
from repline.report.result_page import with_interval
from repline.use.folders import Description, describe
from stages import model_cards
from tests.commands import ROOT

SYSTEMS = sorted(path.parent.name for path in ROOT.glob("stages/*/published.yaml"))
RESULTS = reference.read(ROOT / "results")


def committed(name):
    """A JSON file of the last commit: a run leaves its own metrics in the folder, which differ by the processor."""
    shown = subprocess.run(["git", "-C", str(ROOT), "show", f"HEAD:{name}"], capture_output=True, check=True)
    return json.loads(shown.stdout)


def source(licence, place):
    file = {"name": "a.txt", "sha256": "0" * 64, "bytes": 1, "rows": 1}
    return {"title": "T", "licence": licence, "home": "h", "used_by": ["x"], "files": [file], "places": [place]}


@pytest.fixture
def project(tmp_path):
    """Two models: one of a text and vectors, one of a generator's text and the same vectors."""
    made = {"made": "repline.corpora.labelled.collections.negation_toy:write", "seed": 0}
    sources = {
        "vectors": source("PDDL 1.0", {"package": "glove==1", "path": "a.txt"}),
        "novel": source("CC BY 4.0", {"package": "novels==1", "path": "a.txt"}),
        "table": source("LGPL 2.1", {"package": "tables==1", "path": "a.txt"}),
        "toy": source("Apache-2.0", made),
    }
    (tmp_path / "sources.yaml").write_text(json.dumps(sources))
    stages = {
        "store": (["data/raw/vectors"], "data/vectors/v"),
        "lexicon": (["data/raw/table/a.txt"], "data/lexicons/all/first"),
        "novel": (["data/raw/novel", "data/lexicons/all"], "data/corpora/novel"),
        "toy": (["data/raw/toy/a.txt"], "data/corpora/toy"),
        "prepare": (["data/corpora/toy", "data/vectors/v"], "data/corpora/prepared"),
        "draw": ([], "data/corpora/drawn"),
        "train": (["data/corpora/novel", "data/vectors/v"], "data/models/hcan/novel"),
        "train_toy": (["data/corpora/prepared", "data/vectors/v"], "data/models/hcan/networks/negation/toy"),
        "train_drawn": (["data/corpora/drawn"], "data/models/transea/mine/transe"),
        "start": (["data/own.vec"], "data/models/start/own"),
        "start_absent": (["data/vectors/v"], "data/models/start/absent"),
        "own": (["data/own/texts.tsv"], "data/corpora/own"),
        "train_own": (["data/corpora/own", "data/models/start"], "data/models/hcan/networks/own"),
    }
    lock = {
        name: {"deps": [{"path": path} for path in ["repline/a.py", *inputs]], "outs": [{"path": out}]}
        for name, (inputs, out) in stages.items()
    }
    (tmp_path / "dvc.lock").write_text(json.dumps({"stages": lock}))
    for folder in ("data/lexicons/all/first", "data/models/start/own"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("vectors/v", "corpora/novel", "corpora/prepared", "corpora/drawn", "corpora/own"):
        folder = f"data/{folder}"
        (tmp_path / folder).mkdir(parents=True)
        own = {"data/corpora/drawn": "Apache-2.0 of its own"}.get(folder, "that of the text")
        write_card(
            tmp_path / folder, name="n", description="D", licence=own, sources=[], parameters={}, counts={}, tools=()
        )
    for system in ("hcan", "transea"):
        (tmp_path / "stages" / system).mkdir(parents=True)
        text = (ROOT / "stages" / system / "published.yaml").read_text(encoding="utf-8")
        (tmp_path / "stages" / system / "published.yaml").write_text(text, encoding="utf-8")
    for name, system, kind in (
        ("hcan/novel", "hcan", "text_classifier"),
        ("hcan/networks/negation/toy/seed-0", "hcan", "text_classifier"),
        ("hcan/networks/own/seed-0", "hcan", "text_classifier"),
        ("transea/mine/transe/seed-0", "transea", "knowledge_graph"),
    ):
        (tmp_path / "data/models" / name).mkdir(parents=True)
        describe(tmp_path / "data/models" / name, system, kind, {})
    results = {"systems": {"hcan": RESULTS["small"]["systems"]["hcan"] | {"parameters": {"hcan.x": "12345678"}}}}
    (tmp_path / "results").mkdir()
    (tmp_path / "results/small.json").write_text(json.dumps(results))
    (tmp_path / "params.yaml").write_text("profile: small\n")
    assert model_cards.write(tmp_path) == 4
    texts = {path.parent.relative_to(tmp_path / "data/models").parts: path.read_text() for path in cards_of(tmp_path)}
    return {"own" if "own" in parts else parts[1]: text for parts, text in texts.items()}


def cards_of(root):
    return sorted(root.glob("data/models/**/README.md"))


def test_a_licence_is_that_of_all_sources_whatever_a_corpus_says(project):
    assert "| data/corpora/novel | D | CC BY 4.0; LGPL 2.1 |" in project["novel"]
    assert "| data/vectors/v | D | PDDL 1.0 |" in project["novel"]
    assert "| data/corpora/prepared | D (made) | Apache-2.0; PDDL 1.0 |" in project["networks"].replace(
        "PDDL 1.0; Apache-2.0", "Apache-2.0; PDDL 1.0"
    )
    assert "| data/corpora/drawn | D (made) | Apache-2.0 of its own |" in project["mine"]


def test_a_card_says_which_parameters_changed_since_its_results_were_measured(project):
    assert "`small` was measured before these parameters changed: `hcan.x`." in project["novel"]
    assert "parameters changed" not in project["mine"]


def test_made_texts_are_made_whatever_vectors_a_model_reads(project):
    assert "Trained on made data" not in project["novel"]
    assert "Trained on made data" in project["networks"] and "Trained on made data" in project["mine"]


def test_a_model_of_own_files_is_not_said_to_know_made_texts_and_has_no_results(project):
    card = project["own"]
    assert "Trained on made data" not in card and "(made)" not in card
    assert "| data/own.vec | a file of your own | not stated |" in card
    assert "| data/corpora/own | D | that of the text |" in card
    assert "data/vectors/v" not in card, "what another profile had in the folder is not here"
    assert "these are not its results" in card
    assert "help(model)" in card and ".classify(" not in card, "an example of the project's data"
    assert all("not its results" not in text for name, text in project.items() if name != "own")


def test_methods_and_examples_are_those_that_a_model_answers(project):
    assert "predict_number" not in project["mine"] and "`predict(head, relation)`" in project["mine"]
    assert "The autumn was not bad" in project["networks"] and "The autumn" not in project["novel"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_numbers_are_those_of_published_yaml_and_the_results(system):
    record = published.read(ROOT / "stages" / system / "published.yaml")
    results = {name: part["systems"][system] for name, part in RESULTS.items() if system in part["systems"]}
    description = Description(Path("data/models/x"), system, "x", {})
    text = model_card.card(record, description, methods="x()", example="x()", data=[], results=results)
    in_paper = {
        ", ".join(filter(None, (table.caption, row.dataset, row.variant, row.item, row.column))): row.value
        for table in record.tables
        for row in table.rows
    }
    shown = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|(.*)\|$", text.replace("\\|", "/"), re.MULTILINE)[2:]
    measured_rows = {
        name: {", ".join(number["row"]): number for number in part["numbers"]} for name, part in results.items()
    }
    for row, value, cells in shown:
        if row.startswith("of the paper") or set(row) <= {"-"}:
            continue
        key = next(key for key in in_paper if key.replace("|", "/") == row)
        assert float(value) == in_paper[key], key
        for name, cell in zip(results, cells.split("|"), strict=True):
            number = measured_rows[name].get(key)
            expected = with_interval(number["measured"], number.get("interval")) if number else ""
            assert cell.strip() == str(expected), (key, name)
    for name, part in results.items():
        assert all(
            number["published"] == in_paper.get(row, number["published"]) for row, number in measured_rows[name].items()
        )
        headline = part["headline"]
        if headline.get("value") is not None:
            assert f"- profile `{name}`: **{headline['shown']}**" in text
            assert headline["label"] == record.system.headline.label or name != "small"


@pytest.mark.parametrize("system", SYSTEMS)
def test_results_are_those_of_the_metrics(system):
    record = published.read(ROOT / "stages" / system / "published.yaml")
    metrics = committed(f"data/evaluation/{system}/metrics.json")
    measured = {
        (table.id, *filter(None, (table.caption, row.dataset, row.variant, row.item, row.column))): row.measured
        for table in record.tables
        for row in published.compare(table, metrics)
        if row.measured is not None
    }
    in_results = {
        (number["table"], *number["row"]): number["measured"]
        for number in committed("results/small.json")["systems"][system]["numbers"]
    }
    assert in_results == pytest.approx(measured, rel=1e-6)


def test_every_source_states_a_licence():
    sources = yaml_text.parse((ROOT / "sources.yaml").read_text(encoding="utf-8"))
    assert all(str(entry.get("licence", "")).strip() for entry in sources.values())
