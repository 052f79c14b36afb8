# `make` is the contract: continuous integration runs exactly `make test`.

CARGO ?= cargo
TARGET = $(or $(CARGO_TARGET_DIR),target)

.DEFAULT_GOAL := test
.PHONY: test reproduce bench bench-deep clean help cargo

test: cargo ## check formatting, lints, tests, examples and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

reproduce: cargo ## run every experiment in specs/ and write the report to report/
	$(CARGO) build --release --locked --package prodmax
	"$(TARGET)/release/prodmax" reproduce --out report

bench: cargo ## measure enumerators, sweep and simulated trees; the answers are asserted, the times are not
	$(CARGO) bench --locked --package prodmax-enumerate --bench enumerators
	$(CARGO) bench --locked --package prodmax-mass --bench mass
	$(CARGO) bench --locked --package prodmax-simulate --bench trees

bench-deep: cargo ## depth 4 at full width, and how time grows with the increments; prints the peak memory
	$(CARGO) bench --locked --package prodmax-mass --bench deep

clean: cargo ## remove everything that was built
	$(CARGO) clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-10s %s\n", $$1, $$2 }'

cargo:
	@command -v $(CARGO) >/dev/null 2>&1 || { \
		echo "make: $(CARGO) was not found; install the Rust toolchain from https://rustup.rs and try again" >&2; \
		exit 1; \
	}
