"""data/models/corpus_specificity -> data/evaluation/corpus_specificity: metrics, claims, plots, figures."""

from repline.cards import read_card
from repline.systems.corpus_specificity.document_removal import domain_sizes
from repline.systems.corpus_specificity.evaluation import evaluate
from repline.systems.corpus_specificity.scores import read_scores
from repline.systems.corpus_specificity.word_tests import read_tests
from stages import run
from stages.conclusion import conclude
from stages.corpus_specificity import figures
from stages.folders import CORPORA, MODELS


def main() -> None:
    documents, tests = CORPORA / "corpus_specificity", CORPORA / "corpus_specificity_tests"
    scores = [read_scores(MODELS / "corpus_specificity" / f"{model}.parquet") for model in ("lsa", "word2vec")]
    evaluation = evaluate([row for rows in scores for row in rows])
    counts = read_card(documents)["counts"]
    inside = domain_sizes(documents, {name: test.words for name, test in read_tests(tests).items()})
    metrics = evaluation.metrics
    metrics["data"] = {name: counts[name] for name in ("documents", "tokens")} | read_card(tests)["counts"]
    metrics["data"] |= {f"documents_with_{name}": size for name, size in inside.items()}
    conclude("corpus_specificity", evaluation, figures.figures(metrics), figures.plots(metrics))


if __name__ == "__main__":
    run(main)
