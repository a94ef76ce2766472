"""Write requirements.lock and its two torch companions from pyproject.toml: `make lock` (needs uv).

torch is kept apart because its default Linux build drags in several gigabytes of CUDA libraries: the setup first
tries the CPU build (requirements-torch-cpu.lock, whose pin is edited by hand: another build has another hash), then
the registry's own (requirements-torch.lock).
"""

import re
import subprocess
import sys
from pathlib import Path

COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--extra", "dev", "--extra", "dask", "--universal",
    "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--quiet",
]  # fmt: skip
TORCH = r"(?:torch==|triton==|nvidia-|cuda-)"


def main() -> None:
    text = subprocess.run([*COMPILE, *sys.argv[1:]], check=True, stdout=subprocess.PIPE, text=True).stdout
    pins = re.split(r"(?m)^(?=[a-z0-9])", text)
    Path("requirements.lock").write_text("".join(pin for pin in pins if not re.match(TORCH, pin)), encoding="utf-8")
    Path("requirements-torch.lock").write_text("".join(pin for pin in pins if re.match(TORCH, pin)), encoding="utf-8")


if __name__ == "__main__":
    main()
