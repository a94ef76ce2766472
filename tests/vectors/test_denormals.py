"""Denormal numbers as zero: inside the block and its threads alone, and with no warning of NumPy's."""

import threading
import warnings

import numpy as np
import pytest
import torch

from repline.vectors import denormals

pytestmark = pytest.mark.skipif(not torch.set_flush_denormal(False), reason="the processor has no such mode")
DENORMAL = np.array([1e-40], np.float32)


def test_denormal_numbers_are_zero_inside_the_block_alone():
    with denormals.as_zero():
        assert (DENORMAL * np.float32(1))[0] == 0
    assert (DENORMAL * np.float32(1))[0] > 0


def test_an_inner_block_does_not_end_the_outer_one():
    with denormals.as_zero():
        with denormals.as_zero():
            pass
        assert denormals.are_zero()
    assert not denormals.are_zero()


def test_an_error_ends_the_block():
    with pytest.raises(FloatingPointError), denormals.as_zero():
        raise FloatingPointError
    assert not denormals.are_zero()


def test_threads_that_start_inside_take_them_as_zero():
    seen = []
    with denormals.as_zero():
        thread = threading.Thread(target=lambda: seen.append(denormals.are_zero()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_numpy_does_not_warn_inside():
    with denormals.as_zero(), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.finfo(np.float32).tiny > 0 and np.finfo(np.float64).eps > 0


def test_decorates_a_function():
    assert denormals.as_zero()(denormals.are_zero)()
    assert not denormals.are_zero()
