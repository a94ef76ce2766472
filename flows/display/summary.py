"""The end of a run in about ten lines: what ran, what was slow, the claims, and where to look first."""

import errno
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from flows.display import tracked_files
from flows.display.progress import Progress, clock
from flows.processes import logs
from flows.processes.addresses import short

SLOWEST = 5
VERDICTS = {
    "holds": "hold",
    "fails": "fail",
    "undecided": "undecided",
    "not run": "not run",
    "needs": "need data that no profile has",
}
DISK_FULL = ("the disk is full", os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT))


def lines(progress: Progress, message: str) -> Iterator[str]:
    """The summary, after the run's own message.

    Args:
        progress: the run at its end.
        message: how it ended, with what its failed stages said.
    """
    yield message
    yield f"time: {clock(progress.elapsed())}; the full output of each stage: {_here(progress.root / logs.FOLDER)}"
    ran = {address: ending.seconds for address, ending in progress.ended.items() if ending.how in ("ran", "failed")}
    if ran:
        yield "slowest:"
        for address in sorted(ran, key=ran.__getitem__, reverse=True)[:SLOWEST]:
            yield f"  {clock(ran[address]):>12}  {short(address)}"
    claims = _claims(progress)
    if claims:
        counts = Counter(verdict for verdicts in claims.values() for verdict in verdicts)
        shown = [
            f"{counts[verdict]} {word}" for verdict, word in VERDICTS.items() if counts[verdict] or verdict != "needs"
        ]
        yield f"claims: {', '.join(shown)}"
    yield from progress.compared
    yield from tracked_files.lines(progress)
    yield f"look first at: {_first(progress, message, claims)}"


def _first(progress: Progress, message: str, claims: dict[str, list[str]]) -> str:
    report = progress.root / "data" / "report" / "index.html"
    if any(words in message for words in DISK_FULL):
        return "the disk, which is full; free some space and run again"
    failed = [address for address, ending in progress.ended.items() if ending.how == "failed"]
    if failed:
        return _here(logs.path(progress.root, failed[0]))
    if len(progress.ended) < len(progress.plan) or progress.count("stopped"):
        return "nothing; the same command goes on from here"
    failing = [f"{system} ({verdicts.count('fails')})" for system, verdicts in claims.items() if "fails" in verdicts]
    if failing:
        return f"the claims that fail, of {', '.join(failing)}"
    return _here(report if report.exists() else progress.root / "data")


def _claims(progress: Progress) -> dict[str, list[str]]:
    """The verdicts of each system of the plan that was evaluated."""
    verdicts: dict[str, list[str]] = {}
    for system in progress.evaluated_systems():
        path = progress.root / "data" / "evaluation" / system / "claims.json"
        try:
            claims = json.loads(path.read_text(encoding="utf-8"))
            verdicts[system] = ["needs" if _needs(claim) else claim["verdict"] for claim in claims]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half of a run; its stage will write it again
    return verdicts


def _needs(claim: dict) -> bool:
    """Whether no profile has the data that would judge the claim."""
    return claim["verdict"] == "not run" and bool(claim.get("needs"))


def _here(path: Path) -> str:
    return os.path.relpath(path)
