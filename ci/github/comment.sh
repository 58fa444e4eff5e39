#!/usr/bin/env bash
# Puts a Markdown report into a comment of the pull request, in place of the one
# that an earlier run wrote. Needs gh and a token that may write comments.
#
#   comment.sh REPORT.md [KEY]
#
# Comments with different keys stand beside each other: one a benchmark, say.
# The number of the pull request comes from PULL_REQUEST or from the ref.
set -euo pipefail

report=$1
key=${2:-}
repo=${GITHUB_REPOSITORY:?}
number=${PULL_REQUEST:-}
case ${GITHUB_REF:-} in refs/pull/*/*)
	number=${number:-$(cut -d / -f 3 <<<"$GITHUB_REF")}
	;;
esac
if [ -z "$number" ]; then
	echo "not a pull request: no comment"
	exit 0
fi

marker=$(head -n 1 "$report") # the report begins with a hidden marker
body=$(mktemp)
trap 'rm -f "$body"' EXIT
if [ -n "$key" ]; then
	case $key in *[!A-Za-z0-9._-]*)
		echo "key $key: want letters, digits, dots, hyphens and underscores" >&2
		exit 2
		;;
	esac
	marker="<!-- perfdiff $key -->"
	printf '%s\n' "$marker" >"$body"
fi
cat "$report" >>"$body"

id=$(MARKER=$marker gh api --paginate "repos/$repo/issues/$number/comments" \
	--jq '.[] | select(.body | startswith(env.MARKER)) | .id' | head -n 1)
if [ -n "$id" ]; then
	gh api --method PATCH "repos/$repo/issues/comments/$id" -F body=@"$body" >/dev/null
	echo "comment $id is replaced"
else
	gh api --method POST "repos/$repo/issues/$number/comments" -F body=@"$body" >/dev/null
	echo "comment is new"
fi
