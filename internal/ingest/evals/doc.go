// Package evals reads what evaluation harnesses write about each answer, for
// the comparison of quality.
//
// It stands beside the readers of per-request records under ingest: the bytes
// of a file come in, an ingest.AnswerSet comes out, with a score or a reason
// for none for every item, metric, filter, turn and repeat. Formats lists the
// readers; each recognises its files by their content. Loader reads what a user
// names as one side: a file, a folder, a glob or standard input.
//
// A reader says what it found and decides nothing about it. Items that are
// twice in a file are there twice in the set; items that failed are Errored, and
// not wrong, even where the harness writes a 0 for them; missing items are
// missing. What a user has to know of how a file was read is in its Notes. Two
// harnesses keep the last of several entries by their own rules, and so does
// their reader: Inspect by sample and epoch, MT-Bench by the time of a judgment.
//
// It refuses to guess: words that are no score, pairs that only make sense
// together, files with aggregates alone, and several models where none is
// chosen are left out with a note or are errors that say what to do.
//
// JSON is read as a stream. A single record may be 64 MiB long and 10,000
// levels deep; what is not needed of it, such as the transcript of an agent, is
// never held in memory. NaN and Infinity, which Python writes, are read.
package evals
