// Package report builds one Document from a comparison and its decision and
// renders it as text, Markdown and JSON. The Document is the JSON report; every
// other rendering reads it, so all of them tell the same numbers.
//
// The package chooses digits, prefixes, words, columns and the order of rows.
// It adds no knowledge.
package report
