// Package textio reads records that are stored as text: CSV, JSON lines, and a
// JSON array of objects. It also unpacks gzip and zstd files.
//
// It stands beside arrowio behind the interface ingest.Source: bytes come in,
// columnar batches in base units go out. It knows how a number, a time, a unit
// and a list are spelt, and refuses what it would have to guess: a bare number
// among cells with units, a thousands separator, a row with a field too few.
// Whether a value makes sense as a latency is not asked here.
//
// # Cells
//
// A Number cell that is empty, null, none or \N is Missing; NaN and inf are
// Present with that value, for the checker to count; true and false are 1 and
// 0 in a column of truth values; anything else that is not a decimal number is
// Malformed, "1,234" and "N/A" included. Numbers have the value
// strconv.ParseFloat gives them. A unit the cell carries ("157ms", "1m2.5s",
// {"value": 157, "unit": "ms"}) wins over Request.Unit.
//
// A Time cell is an RFC 3339 timestamp, the same with a space for the T, or a
// number with a unit. It is converted by integer arithmetic and so exact to the
// nanosecond, as far as it is written. A timestamp without zone is UTC.
//
// A Text cell is kept byte for byte: "007" and a 19-digit id stay as they are.
// Empty, and in CSV an unquoted null, NULL, None or \N, is Missing.
//
// # Memory
//
// A scan holds one record, at most 64 MiB of it, and one batch. The dictionary
// of a text column starts anew when it has grown large.
package textio
