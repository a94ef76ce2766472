import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.word_vectors.stored_embedding import stored_embedding
from repline.vectors import store


def test_only_the_words_of_the_other_folder_are_taken_in_their_own_order(tmp_path):
    store.save(tmp_path / "all", ["a", "b", "C", "d"], np.eye(4))
    store.save(tmp_path / "few", ["c", "e", "a"], np.eye(3))
    store.save(tmp_path / "others", ["x"], np.ones((1, 2)))
    assert stored_embedding(tmp_path / "all").words == ["a", "b", "C", "d"]
    assert stored_embedding(tmp_path / "all", tmp_path / "all").words == ["a", "b", "C", "d"]
    cut = stored_embedding(tmp_path / "all", tmp_path / "few")
    assert cut.words == ["a", "C"]
    np.testing.assert_array_equal(cut.matrix, np.eye(4)[[0, 2]])
    assert stored_embedding(tmp_path / "all", tmp_path / "few", ignore_case=False).words == ["a"]
    with pytest.raises(InputError, match="have no word in common"):
        stored_embedding(tmp_path / "all", tmp_path / "others")
