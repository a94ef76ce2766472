"""A server whose database was busy tries again itself, before it tells its client to."""

import asyncio
import json
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from flows.servers.busy_database import WAITS, TriesAgain


class Busy(Exception):
    pass


def server(refusals):
    """A server that refuses `refusals` times, as Prefect's does, then answers what it was sent and how often."""
    tries = []

    async def endpoint(request):
        tries.append(await request.body())
        if len(tries) <= refusals:
            raise Busy
        return JSONResponse({"body": tries[-1].decode(), "tries": len(tries)})

    async def refuse(_, __):
        return JSONResponse({"exception_message": "Service Unavailable"}, status_code=503)

    app = Starlette(routes=[Route("/", endpoint, methods=["POST"])], exception_handlers={Exception: refuse})
    return TriesAgain(app), tries


def ask(app, *parts):
    """The status and body of the answer to one POST whose body comes in parts."""
    left = [
        {"type": "http.request", "body": part, "more_body": number + 1 < len(parts)}
        for number, part in enumerate(parts)
    ]
    sent = []

    async def receive():
        return left.pop(0) if left else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [], "http_version": "1.1"}
    error = None
    try:
        asyncio.run(app(scope, receive, send))
    except Busy as found:
        error = found
    starts = [message["status"] for message in sent if message["type"] == "http.response.start"]
    body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    assert len(starts) == 1
    return starts[0], json.loads(body), error


@pytest.mark.parametrize("refusals", [0, 1, len(WAITS)])
def test_the_client_sees_only_the_answer(refusals):
    app, tries = server(refusals)
    status, answer, error = ask(app, b"one ", b"two")
    assert (status, answer, error) == (200, {"body": "one two", "tries": refusals + 1}, None)
    assert tries == [b"one two"] * (refusals + 1)


def test_a_database_that_stays_busy_is_told(monkeypatch):
    app, tries = server(100)
    status, answer, error = ask(app, b"")
    assert status == 503
    assert answer == {"exception_message": "Service Unavailable"}
    assert isinstance(error, Busy)  # for the log of the server
    assert len(tries) == len(WAITS) + 1


def test_other_errors_are_raised_at_once():
    calls = []

    async def broken(scope, receive, send):
        calls.append(await receive())
        raise ValueError("not busy")

    with pytest.raises(ValueError, match="not busy"):
        ask(TriesAgain(broken), b"")
    assert len(calls) == 1


def test_a_stage_can_start_while_others_are_recorded(api, environment, database):
    """What Prefect's client asks before each task with a tag, while others write half as often as it is tried again.

    Services of the server itself write, too, and on a busy machine each write disturbs a try.
    """
    stop, turns = threading.Event(), []

    def write():
        path = Path(environment["PREFECT_HOME"]) / database.name
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
            connection.execute("CREATE TABLE others (one INTEGER)")
            while not stop.is_set():
                if turns:
                    connection.execute("INSERT INTO others VALUES (1)")
                    turns.pop()
                time.sleep(0.05)
            connection.execute("DROP TABLE others")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        refused = 0
        for _ in range(100):
            turns[:] = range(len(WAITS) // 2)  # one more may be under way; a write disturbs one try at most
            refused += refuses(f"{api.url}/v2/concurrency_limits/increment-with-lease")
    finally:
        stop.set()
        writer.join()
    assert refused == 0


def refuses(url):
    body = json.dumps({"names": ["tag:one"], "slots": 1, "mode": "concurrency", "lease_duration": 60}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=30).close()
    except urllib.error.HTTPError as error:
        assert error.code == 503
        return True
    return False
