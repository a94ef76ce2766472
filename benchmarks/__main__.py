"""Run every benchmark, or those named: `python -m benchmarks urn wikipedia`; README.md gets the ratios."""

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks import results, timing


def main() -> None:
    every = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    every = [name for name in every if name not in ("__main__", "results", "timing")]
    unknown = set(sys.argv[1:]) - set(every)
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    for name in sys.argv[1:] or every:
        module = importlib.import_module(f"benchmarks.{name}")
        title = module.__doc__.splitlines()[0]
        print(f"\n{name}: {title}", flush=True)
        timing.comparisons.clear()
        module.main()
        if timing.comparisons:  # none where the peer is not installed
            results.record(name, title, timing.comparisons)


if __name__ == "__main__":
    main()
