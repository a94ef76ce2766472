"""`python -m flows cost`: what each system took, from the run records of its stages."""

from collections.abc import Iterable
from dataclasses import dataclass

from flows.planning import estimates
from flows.project.addresses import file_and_name, without_systems_folder
from flows.workspaces import profiles

GIB = 1 << 30


@dataclass(frozen=True)
class Cost:
    """Sums over the stages of one folder; `peak_bytes` is the memory of the largest process of any of them."""

    system: str
    stages: int
    core_seconds: float
    peak_bytes: int


def command(profile: str) -> int:
    """Print a line for each system, the most expensive first, and a total."""
    costs = by_system(estimates.records(profiles.folder(profile)))
    if not costs:
        print(f"no stage of profile {profile} has run here yet: run `reproduce --profile {profile}`")
        return 0
    peak = max(cost.peak_bytes for cost in costs)
    total = Cost("total", sum(cost.stages for cost in costs), sum(cost.core_seconds for cost in costs), peak)
    width = max(len(cost.system) for cost in [*costs, total])
    print(f"{'system':{width}}  stages  core-seconds  peak memory of a process")
    for cost in [*costs, total]:
        size = f"{cost.peak_bytes / GIB:.2f} GiB"
        print(f"{cost.system:{width}}  {cost.stages:6}  {cost.core_seconds:12.1f}  {size:>24}")
    return 0


def by_system(records: Iterable[dict]) -> list[Cost]:
    """The costs by system, the most expensive first; records without a measured usage are left out.

    Args:
        records: run records, as stages or the flow write them.
    """
    records_by_system: dict[str, list[dict]] = {}
    for record in records:
        if "core_seconds" in record and "peak_bytes" in record:
            records_by_system.setdefault(system(record["stage"]), []).append(record)
    costs = [
        Cost(
            name,
            len(system_records),
            sum(record["core_seconds"] for record in system_records),
            max(record["peak_bytes"] for record in system_records),
        )
        for name, system_records in records_by_system.items()
    ]
    return sorted(costs, key=lambda cost: (-cost.core_seconds, cost.system))


def system(address: str) -> str:
    """The folder of a stage, run by DVC or by hand; the name of the stage for one of the root."""
    file, name = file_and_name(address)
    if "/" in file:
        return without_systems_folder(file).removesuffix("/dvc.yaml")
    name = name.partition("@")[0]
    if "." not in name:
        return name
    module = name.partition("-")[0].split(".")  # a command that writes its record, run by hand: MODULE-ARGUMENTS
    return module[1] if len(module) > 2 else module[-1]
