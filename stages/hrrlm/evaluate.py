"""data/models/hrrlm, data/corpora, tests of word vectors -> data/evaluation/hrrlm: metrics, claims, plots, figures."""

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.hrrlm.evaluation import evaluate
from repline.systems.hrrlm.extrinsic.reader import read_counts
from repline.systems.hrrlm.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import DATA, MODELS, RAW
from stages.hrrlm import figures


def main() -> None:
    settings = load()
    folder = MODELS / "hrrlm"
    corpus, chunk_corpus = (
        LanguageModelingCorpus.load(DATA / source, settings.vocabulary)
        for source in (settings.corpus, settings.chunks.corpus)
    )
    models = {name: runs(folder / name) for name in (*settings.words.variants, "chunks")}
    extrinsic = read_counts({task: folder / f"extrinsic-{task}.parquet" for task in settings.extrinsic})
    evaluation = evaluate(settings, corpus, chunk_corpus, models, RAW, extrinsic)
    for variant, measured in evaluation.metrics["words"].items():
        print(f"{variant}: test perplexity {measured['test_perplexity']:.1f}", flush=True)
    metrics, clusters, model = evaluation.metrics, evaluation.details["clusters"], evaluation.details["model"]
    charts = figures.figures(metrics, clusters, model, corpus, settings.evaluation)
    conclude("hrrlm", evaluation, charts, figures.plots(metrics, clusters))


if __name__ == "__main__":
    run(main)
