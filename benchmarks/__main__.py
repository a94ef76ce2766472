"""Run every benchmark, or those named: `python -m benchmarks urn wikipedia`."""

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    every = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    every = [name for name in every if name not in ("__main__", "timing")]
    unknown = set(sys.argv[1:]) - set(every)
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    for name in sys.argv[1:] or every:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n{name}: {module.__doc__.splitlines()[0]}", flush=True)
        module.main()


if __name__ == "__main__":
    main()
