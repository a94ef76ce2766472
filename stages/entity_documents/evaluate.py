"""data/models/entity_documents -> data/evaluation/entity_documents: metrics, claims, figures, plots."""

from typing import Any

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.systems.entity_documents.documents import read_documents
from repline.systems.entity_documents.evaluation import classification, read_scores
from repline.systems.entity_documents.name_vectors import nearest
from repline.systems.entity_documents.settings import Settings, own_vectors, read
from repline.systems.entity_documents.training import SCORES
from repline.vectors.store import words_and_matrix
from stages import run
from stages.conclusion import conclude
from stages.entity_documents import figures
from stages.entity_documents.places import DOCUMENTS, LINEAR, NETWORKS, VECTORS


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated = {}
    for name in settings.corpora:
        measured = {"cnn": _of_networks(settings, name), "linear": _of_linear(settings, name)}
        metrics[name] = {"documents": read_card(DOCUMENTS / name)["counts"]} | {
            kind: {task: {one: numbers(runs) for one, runs in found.items()} for task, found in tasks.items()}
            for kind, tasks in measured.items()
        }
        repeated[name] = side_by_side(
            **{
                kind: side_by_side(
                    **{
                        task: side_by_side(**{one: replicates(runs) for one, runs in found.items()})
                        for task, found in tasks.items()
                    }
                )
                for kind, tasks in measured.items()
            }
        )
    near = [row for name in settings.corpora for row in _neighbours(settings, name)]
    shown = figures.figures(metrics, near)
    conclude("entity_documents", metrics, shown, figures.plots(metrics), side_by_side(**repeated))


def _of_networks(settings: Settings, name: str) -> dict[str, dict[str, list[Any]]]:
    """By task and variant, what each seed's network reached."""
    found: dict[str, dict[str, list[Any]]] = {}
    for variant, chosen in settings.variants.items():
        documents = read_documents(DOCUMENTS / name, chosen.mode)
        for task, gold in documents.gold.items():
            weights = weights_of(len(gold["test"]))
            places = [NETWORKS / name / task / variant / f"seed-{seed}" / SCORES for seed in settings.seeds]
            runs = [classification(read_scores(place), gold, weights) for place in places]
            found.setdefault(task, {})[variant] = runs
    return found


def _of_linear(settings: Settings, name: str) -> dict[str, dict[str, list[Any]]]:
    """By task and way of writing names (with `_` for - and +), what the one run reached."""
    found: dict[str, dict[str, list[Any]]] = {}
    for mode in settings.linear.modes:
        documents = read_documents(DOCUMENTS / name, mode)
        for task, gold in documents.gold.items():
            scores = read_scores(LINEAR / name / task / f"{mode}.npz")
            run_of = classification(scores, gold, weights_of(len(gold["test"])))
            found.setdefault(task, {})[mode.replace("-", "_").replace("+", "_")] = [run_of]
    return found


def _neighbours(settings: Settings, name: str) -> list[dict[str, str]]:
    """The nearest words of `shown`, in every way of writing names that knows them."""
    rows = []
    for mode, texts in own_vectors(settings):
        words, matrix = words_and_matrix(VECTORS / name / f"{mode}-{texts}")
        for word in settings.shown:
            for form in (word, f"{word}_NE"):
                if near := nearest(words, matrix, form):
                    rows.append({"corpus": name, "names": mode, "word": form, "nearest": ", ".join(near)})
    return rows


if __name__ == "__main__":
    run(main)
