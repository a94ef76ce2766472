"""A Dask cluster for a test, and the API under an address that other hosts could reach."""

import asyncio
import threading

import pytest

from tests.flows.servers.dask_cluster import Cluster


@pytest.fixture
def cluster(environment, tmp_path):
    cluster = Cluster(tmp_path, environment)
    yield cluster
    cluster.stop()


@pytest.fixture
def network(api):
    """The API under an address that is not loopback's name: a port that hands everything on."""
    there = int(api.url.split(":")[2].split("/")[0])

    async def hand_on(reader, writer):
        onward = await asyncio.open_connection("127.0.0.1", there)

        async def copy(source, target):
            while data := await source.read(1 << 16):
                target.write(data)
                await target.drain()
            target.close()

        await asyncio.gather(copy(reader, onward[1]), copy(onward[0], writer), return_exceptions=True)

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(hand_on, "0.0.0.0", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield f"http://0.0.0.0:{server.sockets[0].getsockname()[1]}/api"
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
