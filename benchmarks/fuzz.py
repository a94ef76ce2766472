"""One byte changed in the files of every reader of text, and the smallest change that a reader takes wrongly.

    python -m benchmarks fuzz --minutes 10 --seed 7

A rule says what a reader may do with it: see `tests/damaged_files.py`. The seed of each round is printed, and so is
every reader that breaks the rule, with the change and what is wrong. It has no peer, so nothing is kept in results/.
"""

import argparse
import random
import sys
import time

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import DataObject, data

from tests.damaged_files import changes, problem
from tests.text_readers import BY_NAME, Reader

EXAMPLES = 50  # of a reader in a round
MINUTES = 10.0


def main(arguments: list[str] | None = None) -> None:
    """Try all readers in turn until the time is over; exits with 1 where one of them broke the rule."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long (default: %(default)g)")
    parser.add_argument("--seed", type=int, default=None, help="of the first round (default: a random one)")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    end = time.monotonic() + 60 * options.minutes
    wrong: dict[str, str] = {}
    tried = rounds = 0
    while time.monotonic() < end:
        print(f"seed {seed + rounds}", flush=True)
        for name, reader in BY_NAME.items():
            if time.monotonic() >= end:
                break
            if name not in wrong and (message := wrong_change(reader, seed + rounds)):
                wrong[name] = message
                print(f"{name}: {message}", flush=True)
            tried += EXAMPLES
        rounds += 1
    print(f"about {tried:,} changes of {len(BY_NAME)} readers' files; {len(wrong)} readers took one wrongly")
    if wrong:
        sys.exit(1)


def wrong_change(reader: Reader, seed: int, examples: int = EXAMPLES) -> str | None:
    """The smallest change that a reader takes wrongly, and what is wrong; None where Hypothesis finds none."""
    latest: list[str] = []

    @seeded(seed)
    @settings(
        database=None,
        deadline=None,
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(data())
    def attempt(data: DataObject) -> None:
        change = data.draw(changes(reader))
        if wrong := problem(reader, change):
            latest[:] = [f"{change} makes {change.applied(reader.contents()[change.file])!r}: {wrong}"]
            raise AssertionError(wrong)

    try:
        attempt()
    except AssertionError:
        return latest[0]  # Hypothesis ends with the smallest
    return None


if __name__ == "__main__":
    main()
