"""Write requirements.lock and its two torch companions from pyproject.toml: `make lock` (needs uv).

torch is kept apart because its default Linux build drags in several gigabytes of CUDA libraries: the setup first
tries the CPU build (requirements-torch-cpu.lock, whose pin is edited by hand: another build has another hash), then
the registry's own (requirements-torch.lock).

Pins stay as they are while pyproject.toml allows them; `--upgrade`, like every other option, is handed to uv.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--universal",
    "--extra", "dev", "--extra", "dask", "--extra", "real",
    "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--quiet",
]  # fmt: skip
LOCKS = {"requirements.lock": False, "requirements-torch.lock": True}  # whether it holds torch and its companions
TORCH = r"(?:torch==|triton==|nvidia-|cuda-)"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "requirements.lock"  # uv keeps what its output holds already
        pinned.write_text("".join(Path(name).read_text(encoding="utf-8") for name in LOCKS), encoding="utf-8")
        subprocess.run([*COMPILE, "--output-file", pinned, *sys.argv[1:]], check=True)
        text = pinned.read_text(encoding="utf-8")
    pins = re.split(r"(?m)^(?=[a-z0-9])", text)
    for name, torch in LOCKS.items():
        chosen = "".join(pin for pin in pins if bool(re.match(TORCH, pin)) is torch)
        Path(name).write_text(chosen, encoding="utf-8")


if __name__ == "__main__":
    main()
