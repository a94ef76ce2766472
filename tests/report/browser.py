"""A headless Chromium, driven over a pipe by its own protocol; no package is needed, only the browser."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60  # seconds


def installed() -> str | None:
    """The path of a Chromium on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page in a browser of its own; the window can change its size and its colour scheme.

    Args:
        profile: a folder for the browser's own files.
    """

    def __init__(self, profile: Path):
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()

        def take_ends() -> None:  # the protocol is spoken on descriptors 3 and 4
            os.dup2(theirs_in, 100)
            os.dup2(theirs_out, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        self._process = subprocess.Popen(
            [installed(), *flags, f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=take_ends,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._out, self._in = ours_out, ours_in
        self._number, self._rest, self._session = 0, b"", None
        self.problems: list[str] = []  # what the page's scripts and its policy complain about
        target = next(info for info in self.ask("Target.getTargets")["targetInfos"] if info["type"] == "page")
        attached = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol and its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression on the page; a promise is waited for."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def open(self, path: Path, hash: str = "", scripts: bool = True) -> None:
        """Load a file, with a place in it."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=f"{path.as_uri()}{hash}")
        self.until(f"document.readyState === 'complete' && location.href.startsWith({path.as_uri()!r})")

    def window(self, width: int, height: int, dark: bool = False) -> None:
        """The size in CSS pixels, and the colour scheme that the reader prefers."""
        phone = width < 600
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        os.close(self._out)
        os.close(self._in)
        self._process.kill()
        self._process.wait()

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._in, 1 << 16)
            assert chunk, "the browser ended"
            self._rest += chunk
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["params"]["exceptionDetails"])[:500])
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.problems.append(event["params"]["entry"]["text"])
