"""The labels of a corpus of pairs, checked before something is trained on them."""

from collections.abc import Collection, Sequence
from pathlib import Path

from repline.errors import InputError, readable, shown


def check_labels(
    corpus: str | Path, split: str, ids: Sequence[str], labels: Sequence[str | None], trained: Collection[str]
) -> None:
    """Refuse a pair without a label, one whose label training does not have, and a training of one label.

    Args:
        corpus: the folder of the pairs, and split: its part, for messages.
        ids: how the source names each pair, its line or an id [n].
        labels: [n], None where there is none.
        trained: the labels of train.

    Raises:
        InputError: naming the first such pair, or the only label.
    """
    if None in labels:
        raise InputError(
            f"{corpus}: {split}, pair or line {readable(ids[labels.index(None)])}: expected a label, found none"
        )
    if len(set(trained)) < 2:
        only_label = "".join(map(shown, trained)) or "none"
        raise InputError(f"{corpus}: expected two labels or more in train, found {only_label}")
    for name, label in zip(ids, labels, strict=True):
        if label not in trained:
            raise InputError(
                f"{corpus}: {split}, pair or line {readable(name)}: the label {shown(label)} is never seen in train, "
                f"which has {readable(', '.join(sorted(trained)))}"
            )
