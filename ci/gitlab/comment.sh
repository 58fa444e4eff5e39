#!/usr/bin/env bash
# Puts a Markdown report into a note of the merge request, in place of the one
# that an earlier run wrote. Needs curl, and a token that may write notes in
# GITLAB_TOKEN (a project access token with the scope api).
#
#   comment.sh REPORT.md
set -euo pipefail

report=$1
if [ -z "${CI_MERGE_REQUEST_IID:-}" ]; then
	echo "not a merge request: no comment"
	exit 0
fi
notes="${CI_API_V4_URL:?}/projects/${CI_PROJECT_ID:?}/merge_requests/$CI_MERGE_REQUEST_IID/notes"
marker=$(head -n 1 "$report") # the report begins with a hidden marker

call() { curl --fail --silent --show-error --header "PRIVATE-TOKEN: ${GITLAB_TOKEN:?}" "$@"; }

# The marker as it stands in JSON. A note is an object that begins with its id.
json_marker=${marker//</\\\\u003c}
json_marker=${json_marker//>/\\\\u003e}
id=$(call "$notes?per_page=100&order_by=created_at&sort=asc" |
	sed 's/{"id":/\n{"id":/g' |
	sed -n -e "s/^{\"id\":\([0-9]*\),.*\"body\":\"$json_marker.*/\1/p" -e "s/^{\"id\":\([0-9]*\),.*\"body\":\"$marker.*/\1/p" | head -n 1)
if [ -n "$id" ]; then
	call --request PUT --data-urlencode "body@$report" "$notes/$id" >/dev/null
	echo "note $id is replaced"
else
	call --request POST --data-urlencode "body@$report" "$notes" >/dev/null
	echo "note is new"
fi
