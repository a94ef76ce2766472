"""data/models/jet, data/corpora/jet, tests of data/ -> data/evaluation/jet: metrics, claims, figures."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.replication.bootstrap import REPLICATES, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import numbers, replicates
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.parameters import arguments
from repline.systems.jet import corpus, evaluation, known_mentions, terminology
from repline.systems.jet.disambiguation import Instances
from repline.systems.jet.entity_pairs import EntityPairs, read_entity_pairs
from repline.systems.jet.model import Space, load
from repline.systems.jet.settings import Settings, read
from repline.systems.jet.training import candidates_of, train
from repline.vectors.store import words_and_matrix
from stages import run
from stages.conclusion import conclude
from stages.jet import figures
from stages.jet.prepare import FOLDER as CORPORA
from stages.jet.terminology import FOLDER as TERMINOLOGIES
from stages.jet.train import MODELS

DATA = Path("data")


def main() -> None:
    settings, terminologies, models = read()
    metrics: dict[str, Any] = {"terminologies": {}, "corpora": {}}
    texts = {name: corpus.read(CORPORA / name) for name in terminologies}
    for name, text in texts.items():
        metrics["terminologies"][name] = terminology.sizes(terminology.read(TERMINOLOGIES / name))
        metrics["corpora"][name] = read_card(CORPORA / name)["counts"]
        metrics["corpora"][name]["polysemy"] = evaluation.polysemy_of(text)
    sets = _pairs(settings.pairs)
    questions = read_analogies(DATA / settings.analogies)
    words = Space(*words_and_matrix(DATA / settings.vectors))
    alone = [{"pairs": {name: evaluation.pairs_of(words, pairs) for name, pairs in sets.items()}}]
    metrics["word_vectors"], repeated = numbers(alone), {"word_vectors": replicates(alone)}
    for name, model in models.items():
        runs, losses = [], []
        asked: Instances | None = None
        permuted = arguments(model, of=train).get("permuted")
        for seed in model.seeds:
            folder, text = MODELS / name / f"seed-{seed}", texts[model.terminology]
            space = load(folder, candidates_of(text, permuted, seed))
            if asked is None and space.entity_vectors is not None:
                asked = _instances(settings, space)
            found = _tested(space, text, sets, asked, settings.most_queries)
            losses.append(json.loads((folder / "losses.json").read_text(encoding="utf-8")))
            steps = [after - before for before, after in pairwise(losses[-1])]
            found["largest_step"] = np.full(1 + REPLICATES, max(steps, default=np.nan))
            runs.append(found | {"analogies": evaluation.analogies_of(space, *questions)})
        metrics[name] = numbers(runs) | {"losses": mean_of_runs(losses), "runs": len(runs)}
        repeated[name] = replicates(runs)
        print(f"{name}: {figures.summary(metrics[name])}", flush=True)
    conclude(
        "jet",
        metrics,
        figures.figures(metrics, list(models)),
        figures.plots(metrics, list(models)),
        side_by_side(**repeated),
    )


def _tested(
    space: Space, text: corpus.Corpus, sets: dict[str, EntityPairs], asked: Instances | None, most: int
) -> dict:
    """All tests of one space that can be made with what it has."""
    found: dict[str, Any] = {"pairs": {name: evaluation.pairs_of(space, pairs) for name, pairs in sets.items()}}
    if space.entity_vectors is None:
        return found
    types = text.entities.column("types").to_pylist()
    if any(types):
        found["neighbours"] = evaluation.neighbours(space, types, queries=most)
    defined = known_mentions.defined(space, text.entities.column("definition").to_pylist())
    for name, chosen in (("definitions", defined), ("instances", asked)):
        if chosen is not None and len(chosen.terms):
            found[name] = evaluation.disambiguated(space, chosen, text.entities)
    return found


def _pairs(places: list[str]) -> dict[str, EntityPairs]:
    """The sets of scored pairs, by the short names of their files."""
    files: list[Path] = []
    for place in dict.fromkeys(places):
        path = DATA / place
        files += sorted(path.glob("*.[ct]sv")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"jet.pairs: there is no .csv or .tsv in {', '.join(places)}")
    return {re.sub(r"\W", "_", path.stem.lower()): read_entity_pairs(path) for path in files}


def _instances(settings: Settings, space: Space) -> Instances:
    source = DATA / settings.instances
    if source.is_dir():
        return known_mentions.linked(source, space, context=settings.context, most=settings.most_instances)
    return known_mentions.tabled(source, space)


if __name__ == "__main__":
    run(main)
