#!/bin/sh
# Install the packages of the lock files into a virtual environment: `make setup`.
#
#     sh set_up.sh PYTHON VENV [cpu|cuda]
#     sh set_up.sh --same-version PYTHON PYTHON    whether both are of one version, as 3.13
#
# uv takes a quarter of pip's time. It does not read pip's configuration, but for the index, which it is told here; where
# it finds nothing, pip takes its place. The CPU build of PyTorch is not on PyPI: pip finds it by that configuration (an
# index, a folder of wheels).
set -eu

version() { # of a Python, as 3.13; nothing where it does not run
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true
}

if [ "$1" = --same-version ]; then
    [ "$(version "$2")" = "$(version "$3")" ]
    exit
fi
python=$1 venv=$2 asked=${3:-} log=$2/install.log
ENOUGH=500 # MB: the largest package takes more while it is installed

# what these say is for another place than the virtual environment
export PIP_USER=0
unset PIP_TARGET PIP_PREFIX PYTHONSAFEPATH

main() {
    trap say_full_disk EXIT
    "$python" -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else f"repline needs Python 3.11, 3.12 or 3.13 (gensim has no wheel for 3.14 yet), this is {sys.version.split()[0]}: make PYTHON=python3.12 ...")'
    case $PWD in *[\$\`\"\\]*) fail "this folder's path has a character that setuptools or activate takes for a command (\$ \` \" \\): move the clone to another one" ;; esac
    torch=${asked:-$(build_for_this_machine)}
    case $torch in cpu | cuda | macos) ;; *) fail "TORCH is $torch; it should be cpu or cuda" ;; esac
    echo "setting up $venv (once, a minute or two)"
    clear= # a Python of another version would leave the old one in place
    if [ -d "$venv/bin" ] && [ "$(version "$python")" != "$(version "$venv/bin/python")" ]; then
        echo "$venv is emptied first: its Python is of another version"
        clear=--clear
        rm -f "$venv/.ready" # an interrupted change is no environment
    fi
    "$python" -m venv "$venv" $clear
    : >"$log"
    if [ "$asked" ] && ! grep -qsx "$asked" "$venv/.torch"; then
        rm -f "$venv/.ready"
        "$venv/bin/python" -m pip uninstall -qq --yes torch 2>>"$log" # one build of a version satisfies the pin of another
    fi
    pip -r requirements-uv.lock || echo "uv cannot be had; pip takes its place"
    fetch requirements.lock || fail_with_log
    if [ "$torch" != cpu ]; then
        echo "PyTorch: $torch"
        fetch requirements-torch.lock || fail_with_log
    elif pip -r requirements-torch-cpu.lock; then
        echo "PyTorch: cpu"
    elif [ "$asked" ]; then
        fail_with_log
    else
        echo "PyTorch: pip finds no CPU build; the registry's takes several GB more (docs/installing.md says where it is)"
        fetch requirements-torch.lock || fail_with_log
        torch=cuda
    fi
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . 2>>"$log" ||
        fail_with_log
    "$venv/bin/python" -c 'import torch, spacy, dvc, prefect, repline'
    echo "$torch" >"$venv/.torch"
    trap - EXIT
}

build_for_this_machine() {
    if [ "$(uname -s)" = Darwin ]; then
        echo macos
    elif [ -e "$DRIVER" ] || nvidia-smi -L >/dev/null 2>&1; then
        echo cuda
    else
        echo cpu
    fi
}

fetch() { # a lock file
    echo "fetching $(grep -c == "$1") packages ($1)"
    uv -r "$1" || { echo "pip takes the place of uv" && pip -r "$1"; }
}

pip() {
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --require-hashes "$@" 2>>"$log"
}

uv() {
    [ -x "$venv/bin/uv" ] || return
    index=$("$venv/bin/python" -m pip config list 2>>"$log" | sed -n "s/.*[.]index-url='\(.*\)'/\1/p" | tail -n 1)
    quiet=--quiet
    [ ! -t 2 ] || quiet= # a terminal shows its progress
    env ${index:+UV_DEFAULT_INDEX="$index"} \
        "$venv/bin/uv" pip install --python "$venv/bin/python" --no-deps --require-hashes \
        --compile-bytecode $quiet "$@"
}

say_full_disk() { # after a failure: pip's own words are lost where the log lies on that disk, too
    for folder in "$venv" "${TMPDIR:-/tmp}"; do
        free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
        [ "${free:-$ENOUGH}" -ge "$ENOUGH" ] || echo "the disk of $folder is full ($free MB left); .venv takes about 3,200 MB: free some space and run again"
    done
}

fail_with_log() {
    tail -n 20 "$log"
    exit 1
}

fail() {
    echo "$1"
    exit 1
}

main
