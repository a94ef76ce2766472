"""`serve` as a process: a server with its web page, two deployments, and runs started through them."""

import re
import signal
import threading
import urllib.request

from tests.flows.conftest import Api, stage, wait_until


def test_serve_starts_a_server_with_both_flows_and_ends_on_interrupt(offline, tmp_path):
    offline.write("params.yaml", "flows: {refresh: {cron: '0 5 * * 1'}}\n")
    offline.stages({"a": stage("a")})
    process = offline.start(command="serve", PREFECT_HOME=str(tmp_path / "home"))
    lines: list[str] = []
    threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True).start()
    threading.Thread(target=lambda: list(process.stderr), daemon=True).start()
    try:
        said = wait_until(lambda: re.search(r"The Prefect UI is at (http://127\.0\.0\.1:\d+)", "".join(lines)))
        with urllib.request.urlopen(said[1], timeout=30) as page:
            assert "<html" in page.read().decode().lower()
        api = Api(f"{said[1]}/api")

        def deployments():
            found = {one["name"]: one for one in api.post("deployments/filter")}
            return found if set(found) == {"by hand", "weekly"} else None

        served = wait_until(deployments)
        assert [one["schedule"]["cron"] for one in served["weekly"]["schedules"]] == ["0 5 * * 1"]
        assert served["by hand"]["schedules"] == []
        api.post(f"deployments/{served['by hand']['id']}/create_flow_run", {"parameters": {"targets": ["a"]}})
        wait_until(lambda: api.post("flow_runs/filter", {"flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}))
        offline.assert_clean()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=40) == 0
    finally:
        process.kill()
