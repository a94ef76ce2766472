import pytest

from repline.corpora.sentence_pairs.pair_labels import check_labels
from repline.errors import InputError


def test_labels_of_train_pass():
    check_labels("pairs", "dev", ["1", "2"], ["yes", "no"], {"yes", "no"})


def test_a_pair_without_a_label_or_with_a_new_one_is_named():
    with pytest.raises(InputError, match="pairs: dev, pair or line 2: expected a label, found none"):
        check_labels("pairs", "dev", ["1", "2"], ["yes", None], {"yes"})
    with pytest.raises(InputError, match="pair or line 2: the label 'maybe' is never seen in train, which has no, yes"):
        check_labels("pairs", "test", ["1", "2"], ["yes", "maybe"], {"yes", "no"})


@pytest.mark.parametrize(("trained", "found"), [({"yes"}, "'yes'"), (set(), "none")])
def test_a_training_of_one_label_is_refused_before_it_starts(trained, found):
    with pytest.raises(InputError, match=rf"^pairs: expected two labels or more in train, found {found}$"):
        check_labels("pairs", "train", ["1", "2"], ["yes", "yes"], trained)
