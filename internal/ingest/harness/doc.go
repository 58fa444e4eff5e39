// Package harness reads the per-request output of load-test harnesses, the
// exports of LLM gateways and tracing back ends, and public traces: one file
// per layout, each an ingest.Format that is recognised by its content.
//
// It stands beside textio behind the interface ingest.Source. Its columns
// already carry the canonical names with their units (ttft_s, e2e_s, start,
// output_tokens, status, …), so that nothing has to be mapped by hand. Formats
// are to be tried before the generic JSONL, JSON and CSV of textio.
//
// # What a reader decides
//
// A reader knows how its harness says that a request failed, which is never one
// field alone: an error text, zeros, minus one, a single token, a key that is
// absent, another list. It combines them into the column status and sets aside
// the placeholders that stand where a failed request has no measurement, so
// that a zero is never a latency. Where the file itself counts the successes
// and the reader counts others, both numbers become a note.
//
// Served token counts win over requested ones. The gaps between messages are
// the column itl_s only where there is one gap per token after the first in
// (almost) all requests; else they are chunk_gap_s, which is no inter-token
// latency. An intended send time is the column scheduled; a request without one,
// in a file that has them, counts as scheduled when it was sent.
//
// Warm-up is marked in phase. A load step is named in stage, concurrency and
// rate, and where one file holds several runs or steps, run tells them apart.
//
// A file that holds aggregates only is recognised and refused with the flag of
// its harness that writes the records.
//
// # Metadata
//
// A source's metadata has the key "harness", keys "fingerprint.model",
// "fingerprint.backend" and others of what was measured, "fingerprint.token_source"
// where it is known who counted the tokens of answers (server, client), and
// remarks for the user as "perfdiff.note.1", "perfdiff.note.2" and so on.
//
// # Memory
//
// JSON is walked over in a window of some hundred kilobytes, whatever the length
// of a line or an array. The layouts that hold a column per array (vLLM, SGLang)
// keep a few numbers per request; lists of gaps stay in the file until they are
// asked for.
package harness
