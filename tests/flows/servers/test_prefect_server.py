"""Our Prefect server as its clients need it."""

import http.client
import time
from urllib.parse import urlsplit

UVICORN = 5  # seconds after which it closes a connection that is not used, unless it is told otherwise


def test_a_client_can_use_its_connection_again_after_a_stage_of_some_seconds(api):
    connection = http.client.HTTPConnection(urlsplit(api.url).netloc, timeout=30)
    for wait in (0, UVICORN + 1.5):
        time.sleep(wait)
        connection.request("GET", "/api/health")
        assert connection.getresponse().read() == b"true"
