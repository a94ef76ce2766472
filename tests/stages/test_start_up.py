"""What a stage imports is part of what it costs: libraries that it can do without stay unloaded until they are used."""

import json
import subprocess
import sys
from pathlib import Path

import stages

ROOT = Path(stages.__file__).parent.parent
HEAVY = ("torch", "pytorch_lightning", "spacy", "gensim", "sklearn", "scipy.stats", "pandas", "plotly", "duckdb")
LIGHT = (
    "acquire",
    "bracket_rnn.prepare",
    "chunks.train",
    "extrofitting.train",
    "language_modeling.build",
    "lexical_contrast.train",
    "lexicons.constraints",
    "lexicons.graph",
    "lexicons.wordnet",
    "lstm_memorization.prepare",
    "report",
    "rrnet.prepare_math_expressions",
    "urn.prepare_dyck",
    "vectors.convert",
    "wikipedia.annotate",
    "wikipedia.extract",
    "word_vector_suite.evaluate",
    "word_vector_suite.tabulate",
    "wordnet_embeddings.train",
)
NETWORKS = (
    "bracket_rnn.evaluate",
    "bracket_rnn.train",
    "hrrlm.train",
    "lstm_memorization.evaluate",
    "rrnet.evaluate",
    "rrnet.train_expressions",
    "urn.evaluate",
    "urn.train",
)
NEEDED = {step: {"torch", "plotly"} for step in NETWORKS}
SCRIPT = """
import importlib, json, sys
steps, heavy = json.loads(sys.argv[1])
sys.argv = ["-m"]
loaded = {}
for step in steps:
    importlib.import_module(f"stages.{step}")
    loaded[step] = [name for name in heavy if name in sys.modules]
print(json.dumps(loaded))
"""


def test_a_stage_imports_no_heavy_library_that_it_can_do_without():
    command = [sys.executable, "-c", SCRIPT, json.dumps([LIGHT + NETWORKS, HEAVY])]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    # one process imports them all, the light ones before the others: the first that says it is the one that brought it
    loaded = {step: set(modules) for step, modules in json.loads(process.stdout).items()}
    assert {step: modules for step, modules in loaded.items() if modules - NEEDED.get(step, set())} == {}
