#!/usr/bin/env bash
# Optional: compares perfdiff with DuckDB on the same pair of files. DuckDB
# computes exact percentiles by run, and no interval and no verdict; perfdiff
# does all it does. Nothing of this is needed to build or test the module.
#
# Needs python3 with the duckdb package (pip install duckdb).
#
#   ROWS=10000000   rows a side, a multiple of 10; the files are kept in data/peer
#   ROUNDS=5        interleaved runs
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
ROWS=${ROWS:-10000000}
ROUNDS=${ROUNDS:-5}
if ! python3 -c 'import duckdb' 2>/dev/null; then
	echo 'peer.sh needs python3 with the duckdb package: pip install duckdb' >&2
	exit 2
fi
CGO_ENABLED=0 go build -o bin/perfdiff ./cmd/perfdiff
perfdiff=$PWD/bin/perfdiff
mkdir -p data/peer
cd data/peer
exec python3 "$here/peer.py" "$here" "$ROWS" "$ROUNDS" "$perfdiff"
