#!/bin/sh
# Builds, tests or measures the Python package (see the Makefile): build.sh TASK PYTHON TARGET. Where Python or a package
# that it needs cannot be had, a sentence says so, and nothing fails.
set -eu

task=$1 python=$2 target=$3
here=$(dirname "$0")
venv=$target/python-venv
bin=$venv/bin

skip() {
    echo "$task: $1"
    echo "$task: SKIPPED"
    exit 0
}

install() {
    "$bin/python" -m pip install --quiet --disable-pip-version-check "$@" > "$target/python-pip.log" 2>&1 ||
        skip "pip cannot install $*: $(tail -n 1 "$target/python-pip.log")"
}

command -v "$python" > /dev/null 2>&1 || skip "$python was not found"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$python is older than 3.10"
mkdir -p "$target"
[ -x "$bin/python" ] || "$python" -m venv "$venv" > "$target/python-pip.log" 2>&1 ||
    skip "a virtual environment cannot be created: $(tail -n 1 "$target/python-pip.log")"
"$bin/python" -c 'import maturin' 2> /dev/null || install 'maturin>=1.8,<2'

# The same target folder as the program: what both need is compiled once.
rm -f "$target"/wheels/prodmax-*.whl
CARGO_TARGET_DIR=$(cd "$target" && pwd) "$bin/maturin" build --quiet --release --locked \
    --manifest-path "$here/Cargo.toml" --interpreter "$bin/python" --out "$target/wheels"
"$bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index \
    "$target"/wheels/prodmax-*.whl

case $task in
python)
    echo "python: $(ls "$target"/wheels/prodmax-*.whl)"
    echo "python: installed for $bin/python"
    ;;
python-test)
    "$bin/python" -c 'import numpy, pandas, pytest, mypy, tqdm, matplotlib, nbclient, nbformat, ipykernel' \
        2> /dev/null || install numpy pandas pytest mypy tqdm matplotlib nbclient nbformat ipykernel
    ${CARGO:-cargo} fmt --manifest-path "$here/Cargo.toml" --check
    CARGO_TARGET_DIR=$(cd "$target" && pwd) ${CARGO:-cargo} clippy --quiet --release --locked \
        --manifest-path "$here/Cargo.toml" -- -D warnings
    ${CARGO:-cargo} build --quiet --release --locked --package prodmax
    PRODMAX=$(cd "$target" && pwd)/release/prodmax "$bin/python" -m pytest --quiet "$here/tests"
    ;;
python-bench)
    ${CARGO:-cargo} build --quiet --release --locked --package prodmax-mass --example measure
    "$bin/python" "$here/bench.py" "$(cd "$target" && pwd)/release/examples/measure"
    ;;
esac
