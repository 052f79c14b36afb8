# `make` is the contract: continuous integration runs exactly `make test`.

CARGO ?= cargo
TARGET = $(or $(CARGO_TARGET_DIR),target)

.DEFAULT_GOAL := test
.PHONY: test check-all reproduce bench bench-deep verify-storm fuzz deny mutants clean help cargo

test: cargo ## check formatting, lints, tests, examples and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

check-all: cargo ## recompute every golden entry, the slow ones (depths 4 and 5) too: some minutes
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" check --slow

reproduce: cargo ## run every experiment in specs/ and write the report to report/
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" reproduce --out report

bench: cargo ## measure enumerators, sweep and simulated trees; the answers are asserted, the times are not
	$(CARGO) bench --locked --package prodmax-enumerate --bench enumerators
	$(CARGO) bench --locked --package prodmax-mass --bench mass
	$(CARGO) bench --locked --package prodmax-simulate --bench trees

bench-deep: cargo ## depth 4 at full width, and how time grows with the increments; prints the peak memory
	$(CARGO) bench --locked --package prodmax-mass --bench deep

verify-storm: cargo ## confirm figures by Storm, an independent model checker
	$(CARGO) build --release --locked --package prodmax
	@command -v python3 >/dev/null 2>&1 || { echo "verify-storm: python3 was not found"; echo "verify-storm: SKIPPED"; exit 0; }; \
	python3 tests/storm/verify.py --prodmax "$(TARGET)/release/prodmax" --venv "$(TARGET)/storm-venv" \
		--output report/data/storm.json

FUZZ_SECONDS ?= 30
fuzz: cargo ## feed the readers of files and arguments with random bytes (FUZZ_SECONDS each)
	@if $(CARGO) +nightly fuzz --version >/dev/null 2>&1; then \
		for target in spec golden tree curve; do \
			$(CARGO) +nightly fuzz run "$$target" -- -max_total_time=$(FUZZ_SECONDS) || exit $$?; \
		done; \
	else \
		echo "fuzz: a nightly toolchain and cargo-fuzz are needed; make test has a short run without them"; \
		echo "fuzz: SKIPPED"; \
	fi

# Advisories are fetched from a repository, so they are checked only on request: make deny DENY="advisories …".
DENY ?= licenses bans sources
deny: cargo ## check licenses, duplicates and sources of the dependencies
	@if command -v cargo-deny >/dev/null 2>&1; then $(CARGO) deny --offline check $(DENY); \
	else echo "deny: cargo-deny was not found; install it with: cargo install cargo-deny --locked"; \
		echo "deny: SKIPPED"; fi

mutants: cargo ## damage the core modules one line at a time: does a test notice?
	@if command -v cargo-mutants >/dev/null 2>&1; then $(CARGO) mutants --jobs 1 $(MUTANTS); \
	else echo "mutants: cargo-mutants was not found; install it with: cargo install cargo-mutants --locked"; \
		echo "mutants: SKIPPED"; fi

clean: cargo ## remove everything that was built
	$(CARGO) clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-12s %s\n", $$1, $$2 }'

cargo:
	@command -v $(CARGO) >/dev/null 2>&1 || { \
		echo "make: $(CARGO) was not found; install the Rust toolchain from https://rustup.rs and try again" >&2; \
		exit 1; \
	}
