#!/usr/bin/env bash
# Compares two sides and keeps every report. Ends with the command's own exit
# code, after all reports are written.
#
#   PERFDIFF_COMMAND    perfdiff (default) or qualdiff, or the path of either
#   PERFDIFF_BASELINE   inputs of the baseline, one a line
#   PERFDIFF_CANDIDATE  inputs of the candidate, one a line
#   PERFDIFF_ARGS       further arguments, one a line: "--margin=3%"
#   PERFDIFF_OUT        directory of the reports (default perfdiff-report)
#   PERFDIFF_FORMAT     what standard output gets (default text)
set -euo pipefail

command=${PERFDIFF_COMMAND:-perfdiff}
out=${PERFDIFF_OUT:-perfdiff-report}
mkdir -p "$out"

arguments=()
add() { # FLAG LINES: the flag with each line, or each line alone
	local line
	while IFS= read -r line; do
		line=${line%$'\r'}
		[ -n "$line" ] || continue
		if [ -n "$1" ]; then arguments+=("$1" "$line"); else arguments+=("$line"); fi
	done <<<"$2"
}
add --baseline "${PERFDIFF_BASELINE:-}"
add --candidate "${PERFDIFF_CANDIDATE:-}"
add '' "${PERFDIFF_ARGS:-}"

# A report of an earlier run must not be taken for one of this.
rm -f "$out"/report.{json,md,html,xml} "$out/gl-code-quality-report.json"

code=0
"$command" "${arguments[@]}" --format "${PERFDIFF_FORMAT:-text}" \
	-o "$out/report.json" -o "$out/report.md" -o "$out/report.html" -o "$out/report.xml" \
	-o "$out/gl-code-quality-report.json" || code=$?

verdict=ERROR
if [ -f "$out/report.json" ]; then
	verdict=$(sed -n 's/^  "verdict": "\([A-Z_]*\)",$/\1/p' "$out/report.json" | head -n 1)
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
	{
		echo "verdict=$verdict"
		echo "exit-code=$code"
		echo "reports=$out"
	} >>"$GITHUB_OUTPUT"
fi
exit "$code"
