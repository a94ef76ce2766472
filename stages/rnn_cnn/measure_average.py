"""Measure the average of word vectors on the tasks of a corpus: `python -m stages.rnn_cnn.measure_average NAME`.

data/vectors, data/<tasks> -> data/evaluation/rnn_cnn/scores/<corpus>/average.json
"""

import torch

from repline.systems.rnn_cnn.evaluation import AVERAGE, scores_of_average
from repline.systems.rnn_cnn.settings import load
from stages import run, threads
from stages.argument import argument
from stages.rnn_cnn.scores import read_tasks, read_vectors, write


def main() -> None:
    settings = load()
    corpus = argument("the name of a corpus", settings.corpora)
    torch.set_num_threads(threads())
    scores = scores_of_average(read_tasks(settings, corpus), *read_vectors(settings), settings.evaluation)
    write(corpus, AVERAGE, [scores])


if __name__ == "__main__":
    run(main)
