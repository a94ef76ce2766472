"""Baselines that learn nothing, and shuffled labels as a control."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from repline.corpora.srl.linearisation import target_of
from repline.corpora.srl.propositions import PREDICATE, Argument
from repline.systems.srl_seq2seq.corpus import Instance

NOMINAL = ("DT", "PRP", "PRP$", "JJ", "JJR", "JJS", "CD", "NN", "NNS", "NNP", "NNPS", "POS", "WP", "WDT", "EX")


def noun_chunks(instances: Sequence[Instance], agent: str, patient: str) -> list[list[str]]:
    """The nearest run of nominal tags before the predicate as its agent, the nearest behind it as its patient.

    Args:
        instances: all with tags.
        agent, patient: labels, such as A0 and A1.
    """
    outputs = []
    for instance in instances:
        arguments = [argument for argument in instance.arguments if argument.label == PREDICATE]
        if instance.predicate is not None and instance.tags is not None:
            runs = _runs([tag in NOMINAL for tag in instance.tags])
            before = [run for run in runs if run[1] < arguments[0].first]
            behind = [run for run in runs if run[0] > arguments[0].last]
            arguments += [Argument(agent, *run) for run in before[-1:]] + [
                Argument(patient, *run) for run in behind[:1]
            ]
        outputs.append(target_of(instance.tokens, arguments))
    return outputs


def frequent_label(train: Sequence[Instance], instances: Sequence[Instance]) -> list[list[str]]:
    """The true spans, each with the most frequent label of train: what knowing the spans alone is worth."""
    counts = Counter(
        example.label for instance in train for example in instance.arguments if example.label != PREDICATE
    )
    label = max(sorted(counts), key=counts.__getitem__, default=PREDICATE)
    return [
        target_of(
            example.tokens, [arg if arg.label == PREDICATE else arg._replace(label=label) for arg in example.arguments]
        )
        for example in instances
    ]


def unlabelled(instances: Sequence[Instance]) -> list[list[str]]:
    """The words of the source without any bracket: what a copy is worth."""
    return [target_of(instance.tokens, []) for instance in instances]


def shuffled_labels(instances: Sequence[Instance], seed: int) -> list[Instance]:
    """Instances whose role labels are permuted among all their spans; V stays."""
    labels = [
        argument.label for instance in instances for argument in instance.arguments if argument.label != PREDICATE
    ]
    order = iter(np.random.default_rng(seed).permutation(len(labels)))
    return [
        instance._replace(
            arguments=[
                argument if argument.label == PREDICATE else argument._replace(label=labels[next(order)])
                for argument in instance.arguments
            ]
        )
        for instance in instances
    ]


def _runs(inside: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last positions of runs of True."""
    edges = np.flatnonzero(np.diff([0, *map(int, inside), 0]))
    return [(int(first), int(end) - 1) for first, end in edges.reshape(-1, 2)]
