"""Measure the sentence vectors of all models of a corpus: `python -m stages.rnn_cnn.measure_tasks NAME`.

data/models/rnn_cnn/<corpus>, data/vectors, data/<tasks> -> data/evaluation/rnn_cnn/scores/<corpus>.json, with the
average of the pre-trained vectors next to them.
"""

import torch

from repline.evaluation.sentences.task_files import read_tasks
from repline.files import write_json
from repline.systems.rnn_cnn.evaluation import measure_tasks
from repline.systems.rnn_cnn.settings import load
from repline.training.run import runs
from repline.vectors import store
from stages import run, threads
from stages.argument import argument
from stages.folders import DATA, EVALUATION, MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    torch.set_num_threads(threads())
    sources = [DATA / source for source in dict.fromkeys(settings.evaluation.sources)]
    tasks = read_tasks(sources, settings.corpora[name].tasks)
    models = {variant: runs(MODELS / "rnn_cnn" / name / variant) for variant in settings.recipes_on(name)}
    words, vectors = store.words_and_matrix(VECTORS / settings.vectors)
    scores = measure_tasks(tasks, models, words, vectors, settings.evaluation)
    write_json(EVALUATION / "rnn_cnn/scores" / f"{name}.json", scores)
    for method, seeds in scores.items():
        for seed in seeds:
            print(f"{method}: " + ", ".join(f"{task} {100 * score['value']:.1f}" for task, score in seed.items()))


if __name__ == "__main__":
    run(main)
