"""Requests that the Prefect server refuses because another one was writing to SQLite at that moment.

SQLite cannot let a transaction write that began by reading what another has changed since. Prefect's server answers 503
then, and its client tries again after two seconds; a stage that starts just when the end of another is recorded would
wait for that alone. The server itself can try again at once: the refused transaction has changed nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

WAITS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)  # seconds before each further try; after them the client gets an error
BUSY = 503

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class TriesAgain:
    """An ASGI application that passes each request to another one, and repeats it while that answers 503."""

    def __init__(self, app: App):
        self._app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        for wait in WAITS:
            answer = _Answer(send)
            try:
                await self._app(dict(scope), _from_the_start(body, receive), answer)
            except Exception:  # Starlette answers an error and then raises it again
                if not answer.refused:
                    raise
            if not answer.refused:
                return
            await asyncio.sleep(wait)
        await self._app(dict(scope), _from_the_start(body, receive), send)


class _Answer:
    """Sends an answer on, unless it is a refusal."""

    def __init__(self, send: Send):
        self._send = send
        self.refused = False

    async def __call__(self, message: Message) -> None:
        self.refused |= message["type"] == "http.response.start" and message["status"] == BUSY
        if not self.refused:
            await self._send(message)


async def _body(receive: Receive) -> list[Message]:
    """All messages of a request."""
    messages = [await receive()]
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _from_the_start(messages: list[Message], receive: Receive) -> Receive:
    """A `receive` that replays the messages of a request, then waits for the client's disconnect."""
    left = iter(messages)

    async def next_one() -> Message:
        return next(left, None) or await receive()

    return next_one
