#!/usr/bin/env bash
# Compares the benchmarks of the working tree with those of another commit.
#
#   BASE=commit   compare with it; default: HEAD when tracked files are changed,
#                 else the commit before HEAD
#   COUNT=8       how often each benchmark is run on either side
#   BENCH=.       which benchmarks, a regular expression
#   PKGS=         which packages; default: all that have benchmarks
set -euo pipefail
cd "$(dirname "$0")/.."

BENCHSTAT=golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
COUNT=${COUNT:-8}
BENCH=${BENCH:-.}
if [ -z "${BASE:-}" ]; then
	if git diff --quiet HEAD --; then BASE=HEAD~1; else BASE=HEAD; fi
fi
base=$(git rev-parse --verify --short "$BASE^{commit}")

scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/base" 2>/dev/null || true; rm -rf "$scratch"' EXIT
git worktree add --quiet --detach "$scratch/base" "$base"

# Test binaries are built once, and the sides take turns, so that neither has
# the machine to itself while the other does not.
build() { # side, root
	local root=$2 dir
	mkdir -p "$scratch/$1"
	for dir in ${PKGS:-$(cd "$root" && git ls-files '*_test.go' | xargs grep -lE '^func Benchmark' | xargs -r -n1 dirname | sort -u)}; do
		dir=${dir#./}
		[ -d "$root/$dir" ] || continue
		(cd "$root" && go test -c -o "$scratch/$1/${dir//\//+}.test" "./$dir") || {
			[ "$1" = base ] || return 1
			echo "$dir does not build at $base: it is measured without comparison" >&2
		}
	done
}

run() { # side, root
	local side=$1 root=$2 binary dir
	for binary in "$scratch/$side"/*.test; do
		[ -e "$binary" ] || continue
		dir=$(basename "$binary" .test)
		dir=${dir//+//}
		(cd "$root/$dir" && "$binary" -test.run '^$' -test.bench "$BENCH" -test.benchmem) >>"$scratch/$side.txt"
	done
}

build base "$scratch/base"
build head "$PWD"
: >"$scratch/base.txt"
: >"$scratch/head.txt"
for i in $(seq "$COUNT"); do
	echo "round $i of $COUNT" >&2
	run base "$scratch/base"
	run head "$PWD"
done
if ! grep -q '^Benchmark' "$scratch/head.txt"; then
	echo "no benchmark matches $BENCH" >&2
	exit 2
fi
go run "$BENCHSTAT" "base ($base)=$scratch/base.txt" "working tree=$scratch/head.txt"
