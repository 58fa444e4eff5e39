// Package arrowio reads and writes Parquet and Arrow IPC files.
//
// It is one of the three format packages under ingest, and the only one that
// sees an Arrow type: what comes out are batches of plain slices, what goes in
// are columns of plain slices.
//
// Reading goes through ingest.Source. Only the requested columns are read; a
// Parquet partition is a row group, an IPC partition a fixed group of record
// batches. Numbers are converted to the base unit while they are copied,
// strings arrive as indices into a dictionary. A large page is unpacked piece by
// piece where codec and encoding allow, and readers are used again for the next
// row group, so that memory follows the number of columns and workers.
//
// A file is not trusted. Sizes are checked against the file, the footer and
// each other before memory is asked for; page and row counts must add up; page
// checksums are verified where the writer stored them; a panic of a decoder
// becomes an error. Errors name the row group or record batch and the column;
// who opened the file puts its name before them. Without checksums, a changed
// value cannot be told from a true one.
//
// It refuses to guess: a column that cannot be read in the form asked for is
// an error, a count that differs from the footer's is an error, and encrypted
// files are not read.
package arrowio
