"""The Dask runner over two hosts, which are network namespaces here: a worker is killed, the scheduler is killed.

    python -m benchmarks.flow_checks.two_hosts                     # Linux, as root
    python -m benchmarks.flow_checks.two_hosts shared|separate     # one half of it

The flow, the Dask scheduler and a Prefect server run on 10.77.0.1; each host has an address, a name and mounts of its
own, and a worker. Twice the hosts share the checkout of the flow, twice each has a clone of its own at the same path
and data goes through a DVC remote. Every command writes a line when it ends: there has to be one for each stage.
The files and dvc.lock have to be those of `dvc repro`.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
INSIDE = "TWO_HOSTS_INSIDE"
HUB, HOSTS = "10.77.0.1", {"host-a": "10.77.0.2", "host-b": "10.77.0.3"}
SCHEDULER, API = f"tcp://{HUB}:8786", f"http://{HUB}:4200/api"
CHAINS, LENGTH, SECONDS = 3, 4, 0.5
STRUCK = "c1_1"  # the stage during which something is killed, the first time that it runs
PATIENCE = 300  # seconds
IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.org"]


def main() -> None:
    """Run the four cases; AssertionError in the first that goes wrong."""
    if os.environ.get(INSIDE) is None:
        command = ["unshare", "--net", "--mount", "--uts", "--fork", "--pid", "--mount-proc", "--kill-child"]
        inside = [*command, sys.executable, "-m", "benchmarks.flow_checks.two_hosts", *sys.argv[1:]]
        sys.exit(subprocess.run(inside, cwd=CHECKOUT, env=os.environ | {INSIDE: "1"}).returncode)
    _make_hosts()
    for separate in (False, True) if len(sys.argv) < 2 else [sys.argv[1] == "separate"]:
        for victim in ("worker", "scheduler"):
            with tempfile.TemporaryDirectory() as folder:
                checkouts = "checkouts of their own" if separate else "one checkout"
                seconds, hosts = Case(Path(folder), separate).run(victim)
                print(
                    f"{checkouts}, the {victim} killed: {CHAINS * LENGTH + 1} stages, each to its end once, "
                    f"on {' and '.join(hosts)}; {seconds:.0f} s",
                    flush=True,
                )


def _make_hosts() -> None:
    """Two network namespaces on a bridge, which end with this process's own."""
    for command in ("mount -t tmpfs none /run", "mkdir /run/netns", "ip link set lo up", "ip link add hub type bridge"):
        subprocess.run(command.split(), check=True)
    subprocess.run(f"ip addr add {HUB}/24 dev hub && ip link set hub up", shell=True, check=True)
    for host, address in HOSTS.items():
        commands = (
            f"ip netns add {host}",
            f"ip link add {host} type veth peer name eth0 netns {host}",
            f"ip link set {host} master hub up",
            f"ip -n {host} addr add {address}/24 dev eth0",
            f"ip -n {host} link set eth0 up",
            f"ip -n {host} link set lo up",
        )
        for command in commands:
            subprocess.run(command.split(), check=True)


class Case:
    """A project, a cluster, and what all hosts reach: the DVC remote and the lines of the commands."""

    def __init__(self, folder: Path, separate: bool):
        self.folder, self.separate = folder, separate
        self.project, self.reach = folder / "project", folder / "reach"
        self.processes: dict[str, subprocess.Popen] = {}
        self.reach.mkdir()
        self._make_project()

    def run(self, victim: str) -> tuple[float, list[str]]:
        """Kill something during a run; the seconds that it took, and the hosts that stages ended on."""
        began = time.monotonic()
        with self._prefect():
            try:
                self._start_cluster()
                flow = self._flow()
                struck = self.reach / "struck"
                _wait_for(lambda: struck.exists() and struck.read_text().strip(), flow)
                os.kill(
                    self.processes[struck.read_text().strip() if victim == "worker" else victim].pid, signal.SIGKILL
                )
                (self.reach / "go").touch()
                if victim == "scheduler":
                    assert _end(flow), "the run did not notice that the scheduler was gone"
                    self._stop_cluster()
                    self._start_cluster()
                    flow = self._flow()
                assert not _end(flow), flow.args
            except AssertionError:
                print((self.folder / "flow.log").read_text(), file=sys.stderr)
                raise
            finally:
                self._stop_cluster()
        self._compare()
        return time.monotonic() - began, sorted({line.split()[1] for line in self._lines()})

    def _make_project(self) -> None:
        stages: dict[str, dict] = {}
        for chain in range(CHAINS):
            for position in range(LENGTH):
                name = f"c{chain}_{position}"
                above = [f"out/c{chain}_{position - 1}"] if position else ["in.txt"]
                stages[name] = {"cmd": f"sh work.sh {name} {' '.join(above)}", "deps": above, "outs": [f"out/{name}"]}
        ends = [f"out/c{chain}_{LENGTH - 1}" for chain in range(CHAINS)]
        stages["last"] = {"cmd": f"sh work.sh last {' '.join(ends)}", "deps": ends}
        stages["last"]["outs"] = [{"out/last": {"cache": False}}]
        self.project.mkdir()
        subprocess.run(["git", "init", "--quiet"], cwd=self.project, check=True)
        self._write("in.txt", "input\n")
        self._write("dvc.yaml", yaml.safe_dump({"stages": stages}))
        self._write(".gitignore", "/out\n")
        remote = f"['remote \"through\"']\n    url = {self.reach / 'remote'}\n"
        self._write(
            ".dvc/config", f"[core]\n    analytics = false\n    check_update = false\n    remote = through\n{remote}"
        )
        self._write(".dvc/.gitignore", "/config.local\n/tmp\n/cache\n")
        self._write(
            "work.sh",
            f"""name=$1; shift
if [ $name = {STRUCK} ] && [ ! -e "$REACH/go" ]; then hostname > "$REACH/struck"; sleep {PATIENCE}; fi
sleep {SECONDS}
mkdir -p out && cat "$@" > out/$name && echo $name >> out/$name
echo $name $(hostname) >> "$REACH/lines"
""",
        )
        subprocess.run(["git", "add", "--all"], cwd=self.project, check=True)
        commit = ["git", *IDENTITY, "commit", "--quiet", "--message", "Add the graph"]
        subprocess.run(commit, cwd=self.project, check=True)
        for checkout in ("reference", *(HOSTS if self.separate else ())):
            clone = ["git", "clone", "--quiet", str(self.project), str(self.folder / checkout)]
            subprocess.run(clone, check=True)

    def _write(self, name: str, text: str) -> None:
        path = self.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def _environment(self, host: str) -> dict[str, str]:
        home = self.folder / f"home-{host}"
        home.mkdir(exist_ok=True)
        variables = {"HOME": home, "PREFECT_HOME": home / "prefect", "FLOW_SLOTS": home / "slots"}
        variables |= {"DVC_SITE_CACHE_DIR": home / "dvc", "REACH": self.reach, "PYTHONPATH": CHECKOUT}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        texts = {name: str(value) for name, value in variables.items()} | {"PATH": path, "DO_NOT_TRACK": "1"}
        return os.environ | texts

    @contextmanager
    def _prefect(self) -> Iterator[None]:
        port = API.split(":")[2].split("/")[0]
        server = ["-m", "prefect", "server", "start", "--host", HUB, "--port", port]
        self._start("prefect", server, self._environment("prefect"))
        try:
            _wait_for(lambda: _answers(f"{API}/health"), self.processes["prefect"])
            yield
        finally:
            self._stop("prefect")

    def _start_cluster(self) -> None:
        host, _, port = SCHEDULER.removeprefix("tcp://").partition(":")
        scheduler = ["-m", "distributed.cli.dask_scheduler", "--host", host, "--port", port, "--no-dashboard"]
        self._start("scheduler", scheduler, self._environment("scheduler"))
        for name, address in HOSTS.items():
            mount = f"mount --bind {self.folder / name} {self.project} && " if self.separate else ""
            options = f"--host {address} --nthreads 1 --no-nanny --no-dashboard --name {name}"
            worker = f"exec {sys.executable} -m distributed.cli.dask_worker {SCHEDULER} {options}"
            command = ["ip", "netns", "exec", name, "unshare", "--uts", "--mount", "sh", "-c"]
            command.append(f"hostname {name} && {mount}{worker}")
            self._start(name, command, self._environment(name) | {"PREFECT_API_URL": API}, python=False)
        _wait_for(lambda: _workers() == len(HOSTS), self.processes["scheduler"])

    def _start(self, name: str, command: list[str], environment: dict[str, str], python: bool = True) -> None:
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *command] if python else command,
                cwd=self.project if name == "flow" else self.folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _stop_cluster(self) -> None:
        for name in (*HOSTS, "scheduler"):
            self._stop(name)

    def _stop(self, name: str) -> None:
        process = self.processes.get(name)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _flow(self) -> subprocess.Popen:
        through = ["--remote", "through"] if self.separate else []
        command = ["-m", "flows", "reproduce", "--runner", "dask", "--address", SCHEDULER, *through]
        self._start("flow", command, self._environment("flow") | {"PREFECT_API_URL": API})
        return self.processes["flow"]

    def _lines(self) -> list[str]:
        return (self.reach / "lines").read_text().splitlines()

    def _compare(self) -> None:
        """Each stage ended once, and all is as `dvc repro` leaves it."""
        ends = Counter(line.split()[0] for line in self._lines())
        assert set(ends.values()) == {1} and len(ends) == CHAINS * LENGTH + 1, ends
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "go").touch()
        reference = self.folder / "reference"
        environment = self._environment("reference") | {"REACH": str(self.folder / "elsewhere")}
        dvc = [sys.executable, "-m", "dvc"]
        subprocess.run([*dvc, "repro", "--quiet"], cwd=reference, env=environment, check=True)
        for path in sorted((reference / "out").iterdir()):
            assert path.read_bytes() == (self.project / "out" / path.name).read_bytes(), path.name
        locks = [yaml.safe_load((checkout / "dvc.lock").read_text()) for checkout in (reference, self.project)]
        assert locks[0] == locks[1]
        status = [*dvc, "status", "--quiet"]
        subprocess.run(status, cwd=self.project, env=self._environment("flow"), check=True)


def _wait_for(condition, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, f"{process.args!r} ended with {process.returncode}"
        assert time.monotonic() < deadline, f"{process.args!r}: waited in vain"
        time.sleep(0.2)


def _end(process: subprocess.Popen) -> int:
    return process.wait(PATIENCE)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


def _workers() -> int:
    from distributed import Client

    try:
        with Client(SCHEDULER, timeout=5, set_as_default=False) as client:
            return len(client.scheduler_info()["workers"])
    except OSError:
        return 0


if __name__ == "__main__":
    for program in ("unshare", "ip", "git"):
        if not shutil.which(program):
            sys.exit(f"this check needs the program {program}")
    main()
