"""Measure the sentence vectors of one training on the tasks: `python -m stages.rnn_cnn.measure_tasks NAME`.

data/models/rnn_cnn/<corpus>/<variant>, data/vectors, data/<tasks> ->
data/evaluation/rnn_cnn/scores/<corpus>/<variant>.json
"""

import torch

from repline.systems.rnn_cnn.evaluation import scores_of_runs
from repline.systems.rnn_cnn.settings import load
from repline.training.run import runs
from stages import run, threads
from stages.argument import argument
from stages.folders import MODELS
from stages.rnn_cnn.scores import read_tasks, read_vectors, write


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    torch.set_num_threads(threads())
    folders = runs(MODELS / "rnn_cnn" / training.corpus / training.variant)
    tasks = read_tasks(settings, training.corpus)
    scores = scores_of_runs(tasks, folders, *read_vectors(settings), settings.evaluation)
    write(training.corpus, training.variant, scores)


if __name__ == "__main__":
    run(main)
