"""data/corpora/usif, data/vectors, data/models/usif -> data/evaluation/usif: metrics, claims, plots, figures."""

import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline.evaluation.replication.bootstrap import bootstrap, side_by_side, together
from repline.evaluation.sentence_similarity import cosines, file_correlations, means_by_test, pair_files
from repline.parameters import load
from repline.pretrained import pretrained
from repline.systems.usif.model import CommonComponents, index_sentences
from repline.systems.usif.probe import SentenceProbe, expected_score
from repline.systems.usif.random_walk import derive
from repline.systems.usif.resampled_similarity import drawn_pairs, resampled_correlations
from repline.systems.usif.settings import Settings
from repline.systems.usif.variants import VARIANTS, variant_embeddings
from stages import run
from stages.conclusion import conclude
from stages.usif import figures, probes, weighted_words

MODELS = Path("data/models/usif")
PUBLISHED_DIMENSIONS = 300  # of all vectors in the paper's tables

Measured = tuple[dict[str, Any], list[dict[str, Any]]]  # metrics, and their replicates


def main() -> None:
    settings = load(Settings, "usif")
    metrics, repeated = evaluate_similarity(settings)
    tasks, repeated_tasks = evaluate_probes(settings)
    metrics |= {"probes": {settings.kind: tasks}}
    repeated = together(repeated, side_by_side(probes=side_by_side(**{settings.kind: repeated_tasks})))
    if metrics["data"]["dimensions"] == PUBLISHED_DIMENSIONS:
        for part in (metrics, *repeated):
            part["published"] = _comparable(part)
    conclude("usif", metrics, figures.figures(metrics), figures.plots(metrics), repeated)


def evaluate_similarity(settings: Settings) -> Measured:
    """r x 100 of every variant by file and test, with the components of the file itself and of other text.

    Replicates are drawn pairs (`repline.systems.usif.resampled_similarity`).
    """
    files = pair_files(pq.read_table(weighted_words.CORPUS / "pairs.parquet"))
    reference = pq.read_table(weighted_words.CORPUS / "reference.parquet")["tokens"].to_pylist()
    every = [sentence for pairs in files for sentence in pairs.first + pairs.second]
    length = settings.length or weighted_words.mean_length(every)
    words = weighted_words.Words(f"data/vectors/{settings.vectors}", length)
    draws = [drawn_pairs(pairs, number) for number, pairs in enumerate(files)]
    found: dict[str, dict[str, Any]] = {"similarity": {}, "files": {}, "elsewhere": {}}
    repeated: list[dict[str, Any]] = []
    for name, variant in VARIANTS.items():
        averages = [words.averages(name, pairs.first + pairs.second) for pairs in files]
        sources = {"similarity": None}
        if reference:
            sources["elsewhere"] = CommonComponents.of(words.averages(name, reference), settings.components)
        for where, components in sources.items():
            cosine = []
            for pairs, own in zip(files, averages, strict=True):
                vectors = variant_embeddings(variant, own, settings.components, components)
                cosine.append(cosines(vectors[: len(pairs.first)], vectors[len(pairs.first) :]))
            values = iter(cosine)
            by_file = file_correlations(files, lambda pairs, values=values: next(values))
            found[where][name] = means_by_test(by_file)
            resampled = resampled_correlations(files, cosine, draws)
            means = {where: [means_by_test(one) for one in resampled]}
            if where == "similarity":
                found["files"][name] = by_file
                means["files"] = resampled
            nested = ({key: {settings.kind: {name: one}} for key, one in row.items()} for row in side_by_side(**means))
            repeated = together(repeated, list(nested))
        print(f"{VARIANTS[name].title}: " + ", ".join(f"{test} {r:.1f}" for test, r in _means(found, name)), flush=True)
    unigrams, pairs = Path(settings.unigrams).name, Path(settings.pairs).name
    metrics = {key: {settings.kind: values} for key, values in found.items()} | {
        "constants": _constants(words.unigrams, length),
        "constants_11": {unigrams: _constants(words.unigrams, weighted_words.PAPER_LENGTH)},
        "data": _coverage(every, words) | {"pairs": sum(len(pairs.scores) for pairs in files), "files": len(files)},
    }
    metrics["data"] |= {"dimensions": words.vectors.shape[1]}
    metrics["words_per_sentence"] = {pairs: metrics["data"]["words_per_sentence"]}
    for part in (metrics, *repeated):
        means = part["similarity"][settings.kind]["up"]
        part["headline"] = {"up": means.get("mean_12_15", next(iter(means.values()), None))}
    return metrics, repeated


def evaluate_probes(settings: Settings) -> Measured:
    """Accuracy x 100, for relatedness Pearson's r x 100, on the test part; the mean over seeds.

    Replicates are drawn seeds on drawn test items.
    """
    result: dict[str, Any] = {}
    repeated: dict[str, list[Any]] = {}
    for task in probes.tasks(settings):
        gold = task.gold["test"]
        everything = np.arange(len(gold))
        result[task.name], variants = {}, {}
        if task.name != "sick_r":
            commonest = np.bincount(task.gold["train"]).argmax()
            result[task.name] = {"majority": 100 * float((gold == commonest).mean())}
        for variant in probes.VARIANTS:
            test = probes.embedded(task, variant, settings.components)["test"]
            predicted = []
            for model in _models(f"{task.name}-{variant}"):
                with torch.inference_mode():
                    logits = model(*test)
                scores = expected_score(logits) if task.name == "sick_r" else logits.argmax(dim=1)
                predicted.append(scores.numpy())

            def measure(scores, items, gold=gold, relatedness=task.name == "sick_r"):
                return {"score": _score(scores[items], gold[items], relatedness)}

            result[task.name][variant] = float(np.mean([measure(scores, everything)["score"] for scores in predicted]))
            variants[variant] = [one["score"] for one in bootstrap(measure, predicted, len(gold))]
        repeated[task.name] = side_by_side(**variants)
        print(f"{task.name}: " + ", ".join(f"{name} {value:.1f}" for name, value in result[task.name].items()))
    return result, side_by_side(**repeated)


def _score(predicted: np.ndarray, gold: np.ndarray, relatedness: bool) -> float | None:
    if not relatedness:
        return 100 * float((predicted == gold).mean())
    return 100 * float(np.corrcoef(predicted, gold)[0, 1]) if np.ptp(predicted) and np.ptp(gold) else None


def _means(found: dict[str, dict[str, Any]], name: str) -> list[tuple[str, float]]:
    own = [*found["similarity"][name].items()]
    return own + [(f"{test} (other text)", r) for test, r in found["elsewhere"].get(name, {}).items()]


def _comparable(part: dict[str, Any]) -> dict[str, Any]:
    """The numbers of vectors that have as many dimensions as the paper's."""
    return {key: part[key] for key in ("similarity", "files", "probes") if key in part}


def _constants(unigrams: np.ndarray, length: int) -> dict[str, float | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said already where the weights are made
        found = asdict(derive(unigrams, length))
    return {name: value if np.isfinite(value) else None for name, value in found.items()}


def _coverage(sentences: list[list[str]], words: weighted_words.Words) -> dict[str, float]:
    rows, offsets = index_sentences(sentences, words.index)
    lengths = np.diff(offsets)
    return {
        "sentences": len(sentences),
        "words_per_sentence": float(lengths.mean()),
        "words_without_vector": 1 - len(rows) / max(1, sum(map(len, sentences))),
        "sentences_without_words": int((lengths == 0).sum()),
    }


def _models(name: str) -> list[SentenceProbe]:
    runs = sorted((MODELS / name).iterdir(), key=lambda run: int(run.name.removeprefix("seed-")))
    return [pretrained(SentenceProbe, run) for run in runs]


if __name__ == "__main__":
    run(main)
