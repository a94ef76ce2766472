"""Write requirements.lock and its companions from pyproject.toml: `make lock` (needs uv).

torch is kept apart because its default Linux build drags in several gigabytes of CUDA libraries: the setup first
tries the CPU build (requirements-torch-cpu.lock, whose pins are edited by hand: another build has other hashes), then
the registry's own (requirements-torch.lock). uv, which installs the others, has a file of its own too.

Pins stay as they are while pyproject.toml allows them; `--upgrade`, like every other option, is handed to uv.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--universal",
    "--extra", "all", "--extra", "dev", "--extra", "dask", "--extra", "real", "--extra", "setup",
    "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--quiet",
]  # fmt: skip
LOCKS = {"requirements-uv.lock": r"uv==", "requirements-torch.lock": r"(?:torch==|triton==|nvidia-|cuda-)"}
REST = "requirements.lock"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "requirements.lock"  # uv keeps what its output holds already
        pinned.write_text("".join(Path(name).read_text(encoding="utf-8") for name in (REST, *LOCKS)), encoding="utf-8")
        subprocess.run([*COMPILE, "--output-file", pinned, *sys.argv[1:]], check=True)
        text = pinned.read_text(encoding="utf-8")
    pins = re.split(r"(?m)^(?=[a-z0-9])", text)
    for name, packages in LOCKS.items():
        Path(name).write_text("".join(pin for pin in pins if re.match(packages, pin)), encoding="utf-8")
    apart = "|".join(LOCKS.values())
    Path(REST).write_text("".join(pin for pin in pins if not re.match(apart, pin)), encoding="utf-8")


if __name__ == "__main__":
    main()
