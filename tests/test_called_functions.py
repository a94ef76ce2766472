"""The check that digests cover what runs: it sees calls, also in threads, and names what a digest leaves out."""

import threading

import torch

from repline.algebra.circular_convolution import bind
from repline.errors import shown
from tests import called_functions


def test_calls_in_this_thread_and_in_a_new_one_are_noted():
    with called_functions.noted() as called:
        shown("x")
        thread = threading.Thread(target=bind, args=(torch.ones(2), torch.ones(2)))
        thread.start()
        thread.join()
    assert "repline.errors:shown" in called()
    assert "repline.algebra.circular_convolution:bind" in called()


def test_what_a_digest_leaves_out_is_named():
    called = {"repline.errors:shown", "repline.files:write_json", "repline.algebra.circular_convolution:bind"}
    assert called_functions.uncovered("stages.acquire", called) == ["repline.algebra.circular_convolution:bind"]
