"""How far a run is: what ended and how, what runs and since when, how long the rest will take."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from flows.planning import schedule
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate, Room
from flows.records import logs


@dataclass(frozen=True)
class Ending:
    """How a stage ended ("ran", "unchanged", "failed", "stopped", "not run"), and after how many seconds."""

    how: str
    seconds: float


@dataclass
class Progress:
    """One run of the plan, as it goes on."""

    root: Path
    plan: dict[str, Stage]
    estimates: dict[str, Estimate]
    room: Room
    began: float = field(default_factory=time.monotonic)
    started: dict[str, float] = field(default_factory=dict)  # when, of the stages that took room
    ended: dict[str, Ending] = field(default_factory=dict)
    stopping: bool = False
    compared: list[str] = field(default_factory=list)  # with the reference, at the end

    def start(self, address: str) -> None:
        """Record that a stage starts now."""
        self.started[address] = time.monotonic()

    def end(self, address: str, how: str) -> None:
        """Record that a stage ends now, and how: "ran", "failed", "stopped", ..."""
        now = time.monotonic()
        self.ended[address] = Ending(how, now - self.started.get(address, now))

    def running(self) -> dict[str, float]:
        """The seconds since each running stage started."""
        now = time.monotonic()
        return {address: now - start for address, start in list(self.started.items()) if address not in self.ended}

    def expected(self) -> dict[str, float]:
        """The expected seconds to the end of each running stage."""
        return {address: self.estimates[address].left(elapsed) for address, elapsed in self.running().items()}

    def outs(self) -> list[str]:
        """The outputs of the plan, relative to the root."""
        return [out for stage in self.plan.values() for out in stage.outs]

    def count(self, how: str) -> int:
        """How many stages ended in one way."""
        return sum(ending.how == how for ending in list(self.ended.values()))

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def left(self) -> float:
        """Seconds to the end, as far as one can tell."""
        expected = self.expected()
        waiting = {
            address
            for address, stage in self.plan.items()
            if not stage.fingerprint and address not in self.ended and address not in expected
        }
        return schedule.time_left(self.plan, self.estimates, waiting, expected, self.room)

    def left_in_words(self, end: str = "") -> str:
        """The seconds to the end in words, as in "about 4 min 2 s", with a note where most of them are guessed.

        Args:
            end: what stands between the time and the note.
        """
        ahead = [address for address, stage in self.plan.items() if not stage.fingerprint and address not in self.ended]
        guessed = [address for address in ahead if not self.estimates[address].measured]
        seconds = {address: self.estimates[address].seconds for address in ahead}
        words = f"about {clock(self.left())}{end}"
        if 2 * sum(seconds[address] for address in guessed) <= sum(seconds.values()):
            return words
        stages = "1 stage has" if len(guessed) == 1 else f"{len(guessed)} stages have"
        return f"{words} (a guess: {stages} not run here yet)"

    def counts(self) -> str:
        """The numbers of stages in each state, in words; failures only when there are some."""
        running = len(self.running())
        parts = [f"{len(self.ended)} of {len(self.plan)} finished", f"{running} running"]
        parts.append(f"{len(self.plan) - len(self.ended) - running} waiting")
        parts += [f"{count} {how}" for how in ("failed", "not run", "stopped") if (count := self.count(how))]
        return ", ".join(parts)

    def times(self) -> str:
        """The time so far and the time left, in words."""
        return f"{clock(self.elapsed())} so far, " + ("stopping" if self.stopping else self.left_in_words(" left"))

    def last_line(self, address: str) -> str:
        """The last line that a stage printed."""
        return logs.last_line(logs.path(self.root, address))


def clock(seconds: float) -> str:
    """A duration for people: "8 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
