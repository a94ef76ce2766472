"""Report a run that has nothing to do to a configured server without importing Prefect, which would take longer.

The server sees what it sees of every run: a flow run under its name, and a Cached task for each system. Where it
does not accept plain requests (it needs a key, it is another version), the flow itself runs.
"""

import hashlib
import json
import os
import urllib.request
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from flows.planning.dvc_graph import Stage
from flows.project.addresses import short

MAX_NAMED = 6  # targets in the name of a run
SECRETS = ("PREFECT_API_KEY", "PREFECT_API_AUTH_STRING", "PREFECT_CLIENT_CUSTOM_HEADERS")  # only Prefect uses these


def name_of_run(parameters: Mapping[str, Any]) -> str:
    """The name of a run, for people: "real: urn, usif".

    Args:
        parameters: those of the flow `reproduce`.
    """
    targets = [short(target).removesuffix("/dvc.yaml") for target in parameters.get("targets") or ()]
    if len(targets) > MAX_NAMED:
        targets = list(dict.fromkeys(target.partition(":")[0] for target in targets))
    if len(targets) > MAX_NAMED:
        targets[MAX_NAMED:] = [f"and {len(targets) - MAX_NAMED} more"]
    changed = f" ({', '.join(parameters['overrides'])})" if parameters.get("overrides") else ""
    return f"{parameters['profile']}: {', '.join(targets) or 'everything'}{changed}"


def by_system(plan: Mapping[str, Stage]) -> dict[str, list[Stage]]:
    """The stages of each system, in the order of the plan."""
    systems: dict[str, list[Stage]] = {}
    for stage in plan.values():
        systems.setdefault(stage.system, []).append(stage)
    return systems


def as_one(stages: Iterable[Stage]) -> tuple[str, str]:
    """The Prefect cache key and the message of a system whose stages are all up to date."""
    key = hashlib.sha256("".join(stage.fingerprint or "" for stage in stages).encode()).hexdigest()
    return key, f"DVC: unchanged: {', '.join(short(stage.address) for stage in stages)}"


def tell(url: str, plan: Mapping[str, Stage], parameters: Mapping[str, Any]) -> bool:
    """Whether the server at `url` has taken a flow run that ended as soon as everything was found unchanged.

    Args:
        url: the Prefect API's.
        plan: the stages, all unchanged.
        parameters: those of the flow `reproduce`.
    """
    if any(os.environ.get(name) for name in SECRETS):
        return False
    try:
        flow = _post(f"{url}/flows/", {"name": "reproduce"})
        run = {"flow_id": flow["id"], "name": name_of_run(parameters), "parameters": dict(parameters)}
        run = _post(f"{url}/flow_runs/", run | {"state": {"type": "RUNNING", "name": "Running"}})
        _post(f"{url}/events", list(_tasks(plan, run)))
        message = f"nothing to do: 0 ran, {len(plan)} unchanged"
        ended = {"type": "COMPLETED", "name": "Completed", "message": message}
        _post(f"{url}/flow_runs/{run['id']}/set_state", {"state": ended, "force": True})
    except (OSError, ValueError, KeyError):  # the server refuses, does not answer, or answers something else
        return False
    return True


def _tasks(plan: Mapping[str, Stage], run: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The event by which Prefect's client would report the task of each system."""
    now = datetime.now(UTC).isoformat()
    systems = by_system(plan)
    ids = {system: str(uuid4()) for system in systems}
    for system, stages in systems.items():
        key, message = as_one(stages)
        above = {plan[address].system for stage in stages for address in stage.upstream} - {system}
        inputs = [{"input_type": "task_run", "id": ids[name]} for name in sorted(above)]
        state = {"type": "COMPLETED", "name": "Cached", "message": message, "state_details": {"cache_key": key}}
        task = {
            "name": system,
            "task_key": "run_stage",
            "dynamic_key": ids[system],
            "cache_key": key,
            "tags": [system],
            "task_inputs": {"wait_for": inputs} if inputs else {},
            **dict.fromkeys(("expected_start_time", "start_time", "end_time"), now),
        }
        yield {
            "id": str(uuid4()),
            "occurred": now,
            "event": "prefect.task-run.Cached",
            "payload": {
                "intended": {"from": None, "to": "COMPLETED"},
                "initial_state": None,
                "validated_state": state | {"data": None},
                "task_run": task,
            },
            "resource": {
                "prefect.resource.id": f"prefect.task-run.{ids[system]}",
                "prefect.resource.name": system,
                "prefect.run-count": "0",
                "prefect.state-message": message,
                "prefect.state-name": "Cached",
                "prefect.state-timestamp": now,
                "prefect.state-type": "COMPLETED",
                "prefect.orchestration": "client",
            },
            "related": [
                {
                    "prefect.resource.id": f"prefect.flow-run.{run['id']}",
                    "prefect.resource.role": "flow-run",
                    "prefect.resource.name": run["name"],
                },
                {"prefect.resource.id": f"prefect.tag.{system}", "prefect.resource.role": "tag"},
            ],
        }


def _post(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read() or b"null")
