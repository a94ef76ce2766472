"""Forms of one morpheme, from the labels of a gold segmentation."""

from collections.abc import Mapping


def labelled_allomorphs(labels: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """Sets of forms that share a label, such as +PL: lar, ler; of labels with the same forms the first one.

    Args:
        labels: the forms of each label, as of `segmentation_files.labels`.

    Returns:
        The labels that have two forms or more, with their forms in the order of code points.
    """
    sets: dict[tuple[str, ...], str] = {}
    for label, forms in sorted(labels.items()):
        if len(forms) > 1:
            sets.setdefault(tuple(sorted(forms)), label)
    return {label: forms for forms, label in sets.items()}
