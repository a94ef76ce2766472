"""Deployments that are served until a signal: runs end and report it, and the deployments are paused."""

import asyncio
import signal
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast
from uuid import UUID

import httpx
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import DeploymentStatus
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import ObjectNotFound
from prefect.runner import Runner

from flows.errors import InputError

TWICE = 0.5  # seconds within which two signals are the same one
STARTING = 0.05  # seconds between two looks at a runner that is starting


def place(root: Path) -> str:
    """The host and folder of a project, which its deployments have as their version."""
    return f"{socket.gethostname()}:{root}"


def check_free(deployments: Iterable[RunnerDeployment]) -> None:
    """InputError where the server has deployments of the same names that another project serves at the moment.

    Either would take the runs that are meant for the other.
    """
    with get_client(sync_client=True) as client:
        for deployment in deployments:
            try:
                there = client.read_deployment_by_name(deployment.full_name)
            except ObjectNotFound:
                continue
            is_served = there.status == DeploymentStatus.READY and not there.paused
            if is_served and there.version and there.version != deployment.version:
                raise InputError(
                    f"the Prefect server has the deployment {deployment.full_name} of {there.version}, which is "
                    "served; stop that one (if it was killed, wait a minute), or use another server"
                )


def serve(deployments: Sequence[RunnerDeployment]) -> None:
    """Serve until SIGINT or SIGTERM; a second one waits for no run.

    Prefect's own `serve` leaves at SIGTERM before the deployments are paused, and at either signal before its runs have
    said how they ended, so that they are shown as running for ever.
    """
    runner = Runner(pause_on_shutdown=False)
    registered: list[UUID] = []
    before = signal.getsignal(signal.SIGTERM)
    try:
        for deployment in deployments:
            registered.append(cast(UUID, runner.add_deployment(deployment)))
        asyncio.run(_until_signal(runner, registered))
    finally:
        signal.signal(signal.SIGTERM, before)
        _pause(registered)


async def _until_signal(runner: Runner, registered: list[UUID]) -> None:
    loop, serving = asyncio.get_running_loop(), asyncio.current_task()
    ends: list[asyncio.Task] = []
    first = 0.0

    async def end() -> None:
        while not runner.started:
            await asyncio.sleep(STARTING)
        try:
            await asyncio.gather(asyncio.to_thread(_pause, registered), runner.astop(), return_exceptions=True)
        finally:
            if serving and runner.started:
                serving.cancel()

    def on_signal() -> None:
        nonlocal first
        if not ends:
            first = time.monotonic()
            ends.append(loop.create_task(end()))
        elif serving and time.monotonic() > first + TWICE:
            serving.cancel()

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # that of a process in the background of a script
        loop.add_signal_handler(signal.SIGINT, on_signal)
    runner.handle_sigterm = lambda *_: loop.call_soon_threadsafe(on_signal)  # type: ignore
    with suppress(asyncio.CancelledError):  # by a second signal
        await runner.start()


def _pause(registered: list[UUID]) -> None:
    """Pause deployments, so that their schedules make no runs; InputError where the server does not answer."""
    try:
        with get_client(sync_client=True) as client:
            for deployment in registered:
                client.pause_deployment(deployment)
    except httpx.TransportError as error:
        raise InputError(f"the Prefect server does not answer ({error}); pause the deployments when it does") from None
