"""A Prefect server as a flow starts it, as a process: it says its address, and ends when its stdin does."""

import faulthandler
import sys

from flows.servers import prefect_server

if __name__ == "__main__":
    faulthandler.enable()
    with prefect_server.own() as server:
        server.wait()
        print(server.url, flush=True)
        sys.stdin.read()
