"""A small system's records, with hostile text where a person may write."""

import json

import yaml

from repline.evaluation.claims import judgement
from repline.evaluation.replication import replicate_files

HOSTILE = "<script>alert('x')</script> & \"quoted\" <img src=https://example.org/x.png>"
PARAMETERS = {"profile": "small", "toy": {"seeds": [0, 1], "dyck": {"n": 50}}, "other": {"epochs": 3}}
METRICS = {"toy": {"accuracy": [0.78, 0.85, 0.99], "loss": 1.857, "effects": {"is": 6.5}, "planes": [[0.4, 0.3]]}}
REPLICATES = [{"toy": {"accuracy": [0.78, 0.8, last], "loss": 1.8 + last / 10}} for last in (0.97, 0.98, 0.99)]
CLAIMS = [
    {
        "id": "rises",
        "text": "It rises.",
        "scale": "small",
        "measured": "toy.accuracy[2]",
        "expected": ">= toy.accuracy[0]",
    },
    {"id": "low-loss", "text": f"Low {HOSTILE}", "scale": "small", "measured": "toy.loss", "expected": "< 1.5"},
    {"id": "at-scale", "text": "At scale.", "scale": "paper", "measured": "toy.loss", "expected": "< 1.5"},
]
RUNS = [
    {"stage": "stages/toy/dvc.yaml:train@0", "seconds": 83.2, "started": 1795290000.0},
    {"stage": "stages.toy.evaluate", "seconds": 4.0, "started": 1795290090.0},
    {"stage": "acquire@excerpt", "seconds": 0.4, "started": 1795289000.0},
]


def published(title="A toy system"):
    return {
        "system": {
            "title": title,
            "summary": "What it does.",
            "headline": {"label": "accuracy at 2", "comparator": "that at 0", "claim": "rises", "format": ".1%"},
            "corpora": ["strings"],
            "parameters": ["toy"],
        },
        "paper": {
            "title": "On toys",
            "authors": "A. Author",
            "venue": "Venue",
            "year": 2022,
            "url": "https://example.org/p",
        },
        "tables": [
            {
                "id": "loss",
                "caption": "Loss table",
                "metric": "cross-entropy, nats",
                "better": "lower",
                "rows": [
                    {"dataset": "d", "variant": "full", "item": "", "value": 1.47213, "measured": "toy.loss"},
                    {"dataset": "d", "variant": "mul", "item": "", "value": 1.5, "measured": "mul.loss"},
                ],
            },
            {
                "id": "effects",
                "caption": "Effect table",
                "metric": "effect",
                "better": "none",
                "note": "A note.",
                "rows": [{"dataset": "d", "variant": "toy", "item": f"word{i}", "value": i + 0.25} for i in range(20)]
                + [{"dataset": "d", "variant": "toy", "item": "is", "value": 6.3, "measured": 'toy.effects["is"]'}],
            },
            {
                "id": "planes",
                "caption": "Plane table",
                "metric": "similarity",
                "better": "none",
                "rows": [
                    {
                        "dataset": "d",
                        "variant": "toy",
                        "item": "p",
                        "column": "q",
                        "value": 0.33,
                        "measured": "toy.planes[0][0]",
                    },
                    {"dataset": "d", "variant": "toy", "item": "r", "column": "s", "value": 0.35},
                ],
            },
        ],
        "statements": [{"where": "Figure 1", "text": "It never falls.", "claims": ["rises"]}],
    }


def write_system(root, name, evaluated=True, title="A toy system", figures=True):
    folder = root / "stages" / name
    folder.mkdir(parents=True)
    (folder / "published.yaml").write_text(yaml.safe_dump(published(title)), encoding="utf-8")
    (folder / "claims.yaml").write_text(yaml.safe_dump(CLAIMS), encoding="utf-8")
    if evaluated:
        evaluation = root / "data" / "evaluation" / name
        evaluation.mkdir(parents=True)
        (evaluation / "metrics.json").write_text(json.dumps(METRICS))
        verdicts = judgement.check(judgement.validate(CLAIMS), METRICS, "small", REPLICATES)
        judged = [verdict.as_json() for verdict in verdicts]
        (evaluation / "claims.json").write_text(json.dumps(judged))
        replicate_files.write(evaluation / "replicates.parquet", REPLICATES)
        if figures:
            figure = {"data": [{"type": "scatter", "x": [0, 1], "y": [1, 2], "name": HOSTILE}], "layout": {}}
            entry = {"id": "curve", "title": "A curve", "caption": f"Seen {HOSTILE}", "figure": figure}
            (evaluation / "figures.json").write_text(json.dumps([entry]))


def as_reference(results, profile):
    """Results as they are kept under a profile's name, with the machine and the date of each system."""
    systems = {
        name: system | {"date": "2026-01-02", "machine": "8 cores"} for name, system in results["systems"].items()
    }
    return results | {"profile": profile, "systems": systems}
