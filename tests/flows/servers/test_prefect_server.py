"""Our Prefect server as its clients need it."""

import http.client
import socket
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from flows.errors import InputError
from flows.servers import prefect_server

UVICORN = 5  # seconds after which it closes a connection that is not used, unless it is told otherwise


def test_a_client_can_use_its_connection_again_after_a_stage_of_some_seconds(api):
    connection = http.client.HTTPConnection(urlsplit(api.url).netloc, timeout=30)
    for wait in (0, UVICORN + 1.5):
        time.sleep(wait)
        connection.request("GET", "/api/health")
        assert connection.getresponse().read() == b"true"


@contextmanager
def listener():
    """A server that takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server, f"http://127.0.0.1:{server.getsockname()[1]}/api"


def test_a_server_that_is_busy_is_waited_for(monkeypatch):
    monkeypatch.setattr(prefect_server, "PATIENCE", 9)  # each try lasts a second

    def answer_the_third(server):
        for attempt in range(3):
            connection, _ = server.accept()
            taken.append(connection)
            if attempt == 2:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue")

    taken = []
    with listener() as (server, url):
        thread = threading.Thread(target=answer_the_third, args=(server,))
        thread.start()
        prefect_server.check(url)
        thread.join()
        for connection in taken:
            connection.close()


@pytest.mark.parametrize(("listening", "reason"), [(True, "timed out"), (False, "refused")])
def test_why_no_server_answers_is_told(monkeypatch, listening, reason):
    monkeypatch.setattr(prefect_server, "PATIENCE", 1 if listening else 10_000)
    with listener() as (server, url):
        if not listening:
            server.close()
        with pytest.raises(InputError, match=f"where no Prefect server answers .*{reason}.*prefect server start"):
            prefect_server.check(url)
