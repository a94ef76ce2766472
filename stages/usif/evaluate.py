"""data/corpora/usif, data/vectors, data/models/usif -> data/evaluation/usif: metrics, claims, plots, figures."""

import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline.evaluation.sentence_similarity import file_correlations, means_by_test, pair_files
from repline.parameters import load
from repline.pretrained import pretrained
from repline.systems.usif.model import CommonComponents, cosines, index_sentences
from repline.systems.usif.probe import SentenceProbe, expected_score
from repline.systems.usif.random_walk import angular_similarity, derive, log_linear_score
from repline.systems.usif.settings import Settings
from repline.systems.usif.variants import VARIANTS, variant_embeddings
from stages import run
from stages.conclusion import conclude
from stages.usif import figures, probes, weighted_words

MODELS = Path("data/models/usif")
ELSEWHERE = ("sif_wr", "usif_divide", "up", "up_full")


def main() -> None:
    settings = load(Settings, "usif")
    metrics = evaluate_similarity(settings) | {
        "probes": {settings.kind: evaluate_probes(settings)},
        "length_confound": length_confound(),
    }
    conclude("usif", metrics, figures.figures(metrics), figures.plots(metrics))


def evaluate_similarity(settings: Settings) -> dict[str, Any]:
    files = pair_files(pq.read_table(weighted_words.CORPUS / "pairs.parquet"))
    reference = pq.read_table(weighted_words.CORPUS / "reference.parquet")["tokens"].to_pylist()
    every = [sentence for pairs in files for sentence in pairs.first + pairs.second]
    length = settings.length or weighted_words.mean_length(every)
    words = weighted_words.Words(f"data/vectors/{settings.vectors}", length)
    means, by_file, elsewhere = {}, {}, {}
    for name, variant in VARIANTS.items():
        averages = {id(pairs): words.averages(name, pairs.first + pairs.second) for pairs in files}

        def similarities(pairs, variant=variant, averages=averages, components=None):
            vectors = variant_embeddings(variant, averages[id(pairs)], settings.components, components)
            return cosines(vectors[: len(pairs.first)], vectors[len(pairs.first) :])

        by_file[name] = file_correlations(files, similarities)
        means[name] = means_by_test(by_file[name])
        if name in ELSEWHERE and reference:
            other = CommonComponents.of(words.averages(name, reference), settings.components)
            found = file_correlations(files, lambda pairs, other=other, of=similarities: of(pairs, components=other))
            elsewhere[name] = means_by_test(found)
        print(f"{VARIANTS[name].title}: " + ", ".join(f"{test} {r:.1f}" for test, r in means[name].items()), flush=True)
    return {
        "headline": {"up": means["up"].get("mean_12_15", next(iter(means["up"].values())))},
        "similarity": {settings.kind: means},
        "files": {settings.kind: by_file},
        "elsewhere": {settings.kind: elsewhere},
        "constants": _constants(words.unigrams, length),
        "constants_11": _constants(words.unigrams, weighted_words.PAPER_LENGTH),
        "data": _coverage(every, words) | {"pairs": sum(len(pairs.scores) for pairs in files), "files": len(files)},
    }


def evaluate_probes(settings: Settings) -> dict[str, Any]:
    """Accuracy x 100, for relatedness Pearson's r x 100, on the test part; the mean over seeds."""
    result: dict[str, Any] = {}
    for task in probes.tasks(settings):
        gold = task.gold["test"]
        commonest = np.bincount(task.gold["train"]).argmax() if task.name != "sick_r" else None
        result[task.name] = {} if commonest is None else {"majority": 100 * float((gold == commonest).mean())}
        for variant in probes.VARIANTS:
            test = probes.embedded(task, variant, settings.components)["test"]
            scores = []
            for model in _models(f"{task.name}-{variant}"):
                with torch.inference_mode():
                    logits = model(*test)
                if task.name == "sick_r":
                    scores += [float(np.corrcoef(expected_score(logits).numpy(), gold)[0, 1])]
                else:
                    scores += [float((logits.argmax(dim=1).numpy() == gold).mean())]
            result[task.name][variant] = 100 * float(np.mean(scores))
        print(f"{task.name}: " + ", ".join(f"{name} {value:.1f}" for name, value in result[task.name].items()))
    return result


def length_confound() -> dict[str, float]:
    """Two orthogonal words twice as long, beside one word twice: eq. 4 of the paper, with k = 1 and equal weights."""
    g, h = np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])
    c = {"g": g.mean(axis=0), "h": h.mean(axis=0)}
    longer = {"log_linear_g_twice_as_long": log_linear_score(2 * c["g"], 2 * g)}
    return longer | {
        f"{model}_{name}": value
        for name, sentence in (("g", g), ("h", h))
        for model, value in (
            ("log_linear", log_linear_score(c[name], sentence)),
            ("angular", float(np.prod(angular_similarity(c[name], sentence)))),
        )
    }


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
