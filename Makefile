# `make` is the contract: continuous integration runs exactly `make test`.

CARGO ?= cargo
TARGET = $(or $(CARGO_TARGET_DIR),target)

.DEFAULT_GOAL := test
.PHONY: test beside-tests check-all reproduce record-games record-kalah record-pathology bench bench-deep verify-storm verify-z3 verify-openspiel verify-slurm fuzz soak deny package mutants python python-test python-bench clean help cargo

# Incremental compilation speeds up small rebuilds but slows down a complete build.
test: export CARGO_INCREMENTAL ?= 0
# Not in the recipe: `make -n` runs recipe lines that contain $(MAKE).
test: export BESIDE_TESTS = $(MAKE) --no-print-directory beside-tests
test: cargo ## check formatting, lints, tests, examples and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked --no-run
	@beside="$(TARGET)/beside-tests.log"; (sleep 5; exec $$BESIDE_TESTS) > "$$beside" 2>&1 & others=$$!; \
	echo "$(CARGO) test --workspace --locked"; $(CARGO) test --workspace --locked; tests=$$?; \
	wait $$others; others=$$?; cat "$$beside"; [ $$tests -eq 0 ] && [ $$others -eq 0 ]
	@echo "test: the Python package has tests of its own: make python-test"

# Running the tests leaves processors idle at times, so all this is done at the same time. It begins a few seconds
# later, because otherwise cargo would wait for itself before the first test.
beside-tests: export CARGO_BUILD_JOBS ?= 1
beside-tests:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked
	@$(MAKE) --no-print-directory deny

# Entries of cost `cluster` (the widest of depth 5) take hours on one machine: make check-all CHECK=--cluster
CHECK ?= --slow
check-all: cargo ## recompute every golden entry and run every test, the slow ones too: many minutes (CHECK=--cluster: hours)
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" check $(CHECK)
	$(CARGO) test --release --workspace --locked --lib --bins --tests -- --ignored

reproduce: cargo ## run every experiment in specs/ and write the report to report/
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" reproduce --out report

record-games: cargo ## replay the games that the report shows for Rivest's search: many minutes (KNOWN=FILE reuses the results in that record)
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" play study --spec specs/study/rivest.ron $(if $(KNOWN),--known "$(KNOWN)") --format json \
		--output "$(TARGET)/study.json"
	mv "$(TARGET)/study.json" golden/play/study.json

record-pathology: cargo ## recompute what the report shows beyond LGB's tables, and the samples they are judged by: an hour
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" pathology study --spec specs/study/lgb.ron --format json --output "$(TARGET)/beyond.json"
	mv "$(TARGET)/beyond.json" golden/pathology/beyond.json
	"$(TARGET)/release/prodmax" pathology methods --format json --output "$(TARGET)/methods.json"
	mv "$(TARGET)/methods.json" golden/pathology/methods.json

record-kalah: cargo ## play the games missing from the record of Baum's tournament; can be interrupted and restarted
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" play study --spec specs/study/baum.ron --known golden/play/baum.json \
		--checkpoint "$(TARGET)/baum-begun.json" --format json --output "$(TARGET)/baum.json"
	mv "$(TARGET)/baum.json" golden/play/baum.json && rm "$(TARGET)/baum-begun.json"

bench: cargo ## measure enumerators, sweep, simulated trees, games and shards; the answers are asserted, the times are not
	$(CARGO) bench --locked --package prodmax-enumerate --bench enumerators
	$(CARGO) bench --locked --package prodmax-mass --bench mass
	$(CARGO) bench --locked --package prodmax-law --bench law
	$(CARGO) bench --locked --package prodmax-simulate --bench trees
	$(CARGO) bench --locked --package prodmax-games --bench search
	$(CARGO) bench --locked --package prodmax-pathology --bench pathology
	$(CARGO) bench --locked --package prodmax --bench shards

bench-deep: cargo ## depth 4 at full width, and how time grows with the increments; prints the peak memory
	$(CARGO) bench --locked --package prodmax-mass --bench deep

verify-storm: cargo ## confirm figures with Storm, an independent model checker
	$(CARGO) build --release --locked --package prodmax
	@command -v python3 >/dev/null 2>&1 || { echo "verify-storm: python3 was not found"; echo "verify-storm: SKIPPED"; exit 0; }; \
	python3 tests/storm/verify.py --prodmax "$(TARGET)/release/prodmax" --venv "$(TARGET)/storm-venv" \
		--output report/data/storm.json && \
	if [ -f report/data/storm.json ]; then \
		"$(TARGET)/release/prodmax" reproduce --out report --quiet > /dev/null && \
		echo "verify-storm: see report/index.html under \"Confirmed by others\""; \
	fi

verify-z3: cargo ## confirm the depth-3 case analysis with Z3, an independent solver
	$(CARGO) build --release --locked --package prodmax
	@command -v python3 >/dev/null 2>&1 || { echo "verify-z3: python3 was not found"; echo "verify-z3: SKIPPED"; exit 0; }; \
	python3 tests/z3/verify.py --prodmax "$(TARGET)/release/prodmax" --venv "$(TARGET)/z3-venv" \
		--output report/data/z3.json && \
	if [ -f report/data/z3.json ]; then \
		"$(TARGET)/release/prodmax" reproduce --out report --quiet > /dev/null && \
		echo "verify-z3: see report/index.html under \"Confirmed by others\""; \
	fi

verify-openspiel: cargo ## confirm the rules of the games with OpenSpiel, an independent library
	$(CARGO) build --release --locked --package prodmax
	$(CARGO) build --release --locked --package prodmax-games --example playouts
	@command -v python3 >/dev/null 2>&1 || { echo "verify-openspiel: python3 was not found"; echo "verify-openspiel: SKIPPED"; exit 0; }; \
	python3 tests/openspiel/verify.py --prodmax "$(TARGET)/release/prodmax" \
		--playouts "$(TARGET)/release/examples/playouts" --venv "$(TARGET)/openspiel-venv"

verify-slurm: cargo ## confirm on a real Slurm cluster, started here for the purpose, that shards merge to the single run
	$(CARGO) build --release --locked --package prodmax
	@command -v python3 >/dev/null 2>&1 || { echo "verify-slurm: python3 was not found"; echo "verify-slurm: SKIPPED"; exit 0; }; \
	python3 tests/slurm/verify.py --prodmax "$(TARGET)/release/prodmax" --output report/data/slurm.json && \
	if [ -f report/data/slurm.json ]; then \
		"$(TARGET)/release/prodmax" reproduce --out report --quiet > /dev/null && \
		echo "verify-slurm: see report/index.html under \"Confirmed by others\""; \
	fi

# The fuzzer is libFuzzer, compiled by the fuzz targets themselves: a C++ compiler is all it takes. The flags make rustc
# count coverage.
FUZZ_SECONDS ?= 30
FUZZ_FLAGS = --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares
fuzz: cargo ## feed the readers of files and arguments with random bytes (FUZZ_SECONDS each)
	@command -v c++ >/dev/null 2>&1 || { echo "fuzz: a C++ compiler was not found"; echo "fuzz: SKIPPED"; exit 0; }; \
	host=$$(rustc -vV | sed -n 's/^host: //p') && fuzz="$(TARGET)/fuzz" && \
	RUSTFLAGS="$(FUZZ_FLAGS)" $(CARGO) build --quiet --locked --manifest-path fuzz/Cargo.toml --bins \
		--target "$$host" --target-dir "$$fuzz" && \
	sh fuzz/run.sh "$$fuzz/$$host/debug" "$$fuzz" $(FUZZ_SECONDS)

# Minutes: not part of `make test`. A failure prints how to repeat it, which is what SOAK_CASE is for.
SOAK_SECONDS ?= 120
SOAK_SEED ?= 0
soak: cargo ## random models against the slow twin, kills and damages against all stored files (SOAK_SECONDS, SOAK_SEED)
	$(CARGO) build --release --locked --package prodmax --package prodmax-tests --bin prodmax --example soak
	"$(TARGET)/release/examples/soak" --prodmax "$(TARGET)/release/prodmax" \
		--seconds $(SOAK_SECONDS) --seed $(SOAK_SEED) $(if $(SOAK_CASE),--case $(SOAK_CASE))

# Advisories are fetched from a repository of their own, so they are checked only on request: make deny
# DENY="advisories". Licenses are read from the sources of all dependencies, those for other systems too.
DENY ?= licenses bans sources
deny: cargo ## check licenses, duplicates and sources of the dependencies
	@if ! command -v cargo-deny >/dev/null 2>&1; then \
		echo "deny: cargo-deny was not found; install it with: cargo install cargo-deny --locked"; \
		echo "deny: SKIPPED"; \
	elif ! $(CARGO) fetch --locked --quiet; then \
		echo "deny: the sources of the dependencies cannot be fetched"; \
		echo "deny: SKIPPED"; \
	else \
		$(CARGO) deny --locked check $(DENY); \
	fi

package: cargo ## build every crate from the archive that would be published
	$(CARGO) package --workspace --locked --exclude prodmax-tests $(PACKAGE)

mutants: cargo ## mutate the core crates and count the mutants that no test catches
	@if command -v cargo-mutants >/dev/null 2>&1; then $(CARGO) mutants --profile mutants --jobs 2 $(MUTANTS); \
	else echo "mutants: cargo-mutants was not found; install it with: cargo install cargo-mutants --locked"; \
		echo "mutants: SKIPPED"; fi

# The package for Python has a workspace of its own (crates/python), so that nothing else needs Python.
PYTHON ?= python3
python: cargo ## build the Python package into target/wheels and install it into target/python-venv
	@sh crates/python/build.sh python "$(PYTHON)" "$(TARGET)"

python-test: cargo ## test the Python package: examples, types, notebooks, every figure against the program
	@sh crates/python/build.sh python-test "$(PYTHON)" "$(TARGET)"

python-bench: cargo ## measure the overhead of a call from Python
	@sh crates/python/build.sh python-bench "$(PYTHON)" "$(TARGET)"

clean: cargo ## remove everything that was built
	$(CARGO) clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-12s %s\n", $$1, $$2 }'

cargo:
	@command -v $(CARGO) >/dev/null 2>&1 || { \
		echo "make: $(CARGO) was not found; install the Rust toolchain from https://rustup.rs and try again" >&2; \
		exit 1; \
	}
