import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from repline.corpora.ordered_map import Ready, ordered_map, pool
from repline.errors import InputError


def slow_square(number):
    time.sleep(0.002 * (number % 5))
    return number * number


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_order(processes):
    items = [Ready("x") if number % 10 == 0 else number for number in range(60)]
    with pool(processes) as (executor, pending, share):
        results = list(ordered_map(slow_square, items, executor, pending, share))
    assert results == ["x" if number % 10 == 0 else number * number for number in range(60)]


@pytest.mark.parametrize("share", [False, True])
def test_few_items_are_under_way(share):
    taken, lock = 0, threading.Lock()
    most_under_way = 0

    def items():
        nonlocal taken
        for number in range(200):
            with lock:
                taken += 1
            yield number

    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        for used, _ in enumerate(ordered_map(slow_square, items(), executor, 4, share)):
            most_under_way = max(most_under_way, taken - used)
    assert most_under_way <= 11
    assert taken == 200


def killed(number):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_one_sentence():
    with pytest.raises(InputError, match="a worker process was killed"), pool(2) as (executor, pending, _):
        list(ordered_map(killed, range(10), executor, pending))


def test_an_error_stops_the_map_and_cancels_what_waits():
    def fails(number):
        if number == 3:
            raise ValueError("three")
        return slow_square(number)

    with concurrent.futures.ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="three"):
        list(ordered_map(fails, range(10**9), executor, 4))


def where(number):
    time.sleep(0.2)
    return number, os.getpid()


def test_the_process_that_waits_for_the_last_results_takes_a_share_of_them():
    with pool(2) as (executor, pending, share):
        executor.submit(time.sleep, 0).result()  # the other process is up
        results = list(ordered_map(where, range(pending), executor, pending, share))
    assert [number for number, _ in results] == list(range(pending))
    assert {process for _, process in results} > {os.getpid()}


FREE = threading.Event()


def wait():
    FREE.wait(60)


def test_a_busy_cluster_does_not_hold_up_the_stage(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("repline.corpora.ordered_map.PATIENCE", 0.2)
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client, pool(1, client) as (executor, pending, share):
        occupied = client.submit(wait, pure=False)
        assert list(ordered_map(slow_square, range(20), executor, pending, share)) == [n * n for n in range(20)]
        assert not occupied.done()
        FREE.set()
        occupied.result()
        assert list(ordered_map(slow_square, range(20), executor, pending, share)) == [n * n for n in range(20)]


MAPS_FOR_EVER = """
import itertools, time
from repline.corpora.ordered_map import ordered_map, pool

def wait(item):
    time.sleep(0.01)
    return item

if __name__ == "__main__":
    with pool(3) as (executor, pending, share):
        for item in ordered_map(wait, itertools.count(), executor, pending, share):
            print(item, flush=True)
"""


def test_no_worker_outlives_a_killed_process(tmp_path):
    (tmp_path / "maps.py").write_text(MAPS_FOR_EVER)
    with subprocess.Popen([sys.executable, str(tmp_path / "maps.py")], stdout=subprocess.PIPE) as process:
        while b"20" not in process.stdout.readline():
            pass
        workers = psutil.Process(process.pid).children(recursive=True)
        assert len(workers) >= 3  # with the server that forks them
        process.kill()
    _, alive = psutil.wait_procs(workers, timeout=60)
    for worker in alive:
        worker.kill()
    assert not alive
