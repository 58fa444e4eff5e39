.DEFAULT_GOAL := help
.PHONY: help build test check bench peer fixtures golden-update release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build both commands into bin/
	CGO_ENABLED=0 go build -o bin/ ./cmd/...

release: ## build for every platform, with completions and manual pages, into dist/ (VERSION=, PLATFORMS=)
	.ci/release

test: ## run all tests
	go test ./...

check: ## everything that must hold before a change is merged; the same as .ci/run
	.ci/run

bench: ## compare the benchmarks with the previous commit (BASE=, COUNT=, BENCH=, PKGS=)
	bench/compare.sh

peer: ## compare speed and memory with DuckDB (optional; needs Python with duckdb; ROWS=, ROUNDS=)
	bench/peer.sh

fixtures: ## write the files of fixtures/ and their manifest again
	go run ./fixtures/gen

golden-update: ## rewrite the expected outputs of the tests; read the diff before committing it
	@packages=$$(git ls-files '*_test.go' | xargs grep -lE 'flag\.Bool\("update"' | xargs -r -n1 dirname | sort -u | sed 's|^|./|'); \
	if [ -z "$$packages" ]; then echo 'no test has an -update flag'; exit 0; fi; \
	for p in $$packages; do go test "$$p" -update || exit 1; done; \
	git status --short
