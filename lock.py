"""Write requirements.lock and its companions from pyproject.toml: `make lock` (needs uv).

torch is kept apart because its default Linux build drags in several gigabytes of CUDA libraries: the setup first
tries the CPU build (requirements-torch-cpu.lock, whose pins are edited by hand: another build has other hashes), then
the registry's own (requirements-torch.lock). uv, which installs the others, has a file of its own too, and
so has what builds the documentation site (requirements-docs.lock).

Pins stay as they are while pyproject.toml allows them; `--upgrade`, like every other option, is handed to uv.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "--universal", "--python-version", "3.11",
    "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--quiet",
]  # fmt: skip
EXTRAS = ("all", "dev", "dask", "real", "setup")
LOCKS = {"requirements-uv.lock": r"uv==", "requirements-torch.lock": r"(?:torch==|triton==|nvidia-|cuda-)"}
REST = "requirements.lock"
DOCS = "requirements-docs.lock"  # a group of its own: nothing of the project is needed to build its site


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "requirements.lock"  # uv keeps what its output holds already
        pinned.write_text("".join(Path(name).read_text(encoding="utf-8") for name in (REST, *LOCKS)), encoding="utf-8")
        extras = [option for extra in EXTRAS for option in ("--extra", extra)]
        subprocess.run([*COMPILE, "pyproject.toml", *extras, "--output-file", pinned, *sys.argv[1:]], check=True)
        text = pinned.read_text(encoding="utf-8")
    pins = re.split(r"(?m)^(?=[a-z0-9])", text)
    for name, packages in LOCKS.items():
        Path(name).write_text("".join(pin for pin in pins if re.match(packages, pin)), encoding="utf-8")
    apart = "|".join(LOCKS.values())
    Path(REST).write_text("".join(pin for pin in pins if not re.match(apart, pin)), encoding="utf-8")
    subprocess.run([*COMPILE, "--group", "docs", "--output-file", DOCS, *sys.argv[1:]], check=True)


if __name__ == "__main__":
    main()
