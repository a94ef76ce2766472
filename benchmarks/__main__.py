"""Run every benchmark, or those named: `python -m benchmarks urn wikipedia`; docs/speed.md gets the ratios.

`python -m benchmarks fuzz --help` is a run of another kind: damaged files for every reader of text, for some minutes.
"""

import argparse
import importlib
import pkgutil
import sys

import benchmarks
from benchmarks import fuzz, results, timing

NO_BENCHMARKS = ("__main__", "flow_checks", "flow_commands", "fuzz", "results", "timing")


def main() -> None:
    every = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    every = [name for name in every if name not in NO_BENCHMARKS]
    if sys.argv[1:2] == ["fuzz"]:
        return fuzz.main(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, epilog=f"benchmarks: {', '.join(every)}"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a benchmark (default: all of them)")
    names = parser.parse_args().names
    unknown = set(names) - set(every)
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    for name in names or every:
        module = importlib.import_module(f"benchmarks.{name}")
        title = module.__doc__.splitlines()[0]
        print(f"\n{name}: {title}", flush=True)
        timing.comparisons.clear()
        module.main()
        if timing.comparisons:  # none where the peer is not installed
            results.record(name, title, timing.comparisons)


if __name__ == "__main__":
    main()
