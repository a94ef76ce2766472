"""Questions to the person at the terminal."""

import select
import sys
import threading

POLL = 0.2  # seconds between two looks at whether the run stops


def confirm(question: str, stopping: threading.Event) -> bool:
    """Ask until the answer is yes or no.

    Args:
        question: what is asked.
        stopping: set when nobody waits for the answer any more.

    Returns:
        The answer; no where nobody can answer, as with DVC.
    """
    if not sys.stdin.isatty():
        return False
    while True:
        print(f"{question} [y/n] ", end="", flush=True)
        while not select.select([sys.stdin], [], [], POLL)[0]:
            if stopping.is_set():
                return False
        answer = sys.stdin.readline()
        if not answer:
            return False
        if answer.strip().lower() in ("y", "yes", "n", "no"):
            return answer.strip().lower().startswith("y")
