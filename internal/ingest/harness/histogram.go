package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// histograms is the source of a file that holds distributions and no record.
type histograms struct {
	info
	columns    []ingest.ColumnInfo
	each       []ingest.Histogram // by column
	ok, failed int64
	known      bool // ok and failed
}

// errNoValues is the fault of a file whose histograms are all empty.
var errNoValues = errors.New("the histograms of the file hold no value")

// add appends the histogram of a metric, unless it is empty. The inter-token
// latency has many values a request, as its class says.
func (h *histograms) add(name string, hist ingest.Histogram) {
	if hist.Total() == 0 {
		return
	}
	c := ingest.ColumnInfo{Name: name, Type: "histogram", Class: ingest.NumericClass}
	if stem, _ := ingest.SplitUnit(ingest.NormalName(name)); stem == "itl" || stem == "inter_token_latency" || stem == "chunk_gap" {
		c.Class = ingest.ListClass
	}
	h.columns, h.each = append(h.columns, c), append(h.each, hist)
}

// Columns returns one column a metric.
func (h *histograms) Columns() []ingest.ColumnInfo { return h.columns }

// Histograms returns the histogram of each column.
func (h *histograms) Histograms() []ingest.Histogram { return h.each }

// Outcomes returns what counters say of the requests.
func (h *histograms) Outcomes() (ok, failed int64, known bool) { return h.ok, h.failed, h.known }

// Rows returns −1: there are no records.
func (h *histograms) Rows() int64 { return -1 }

// Partitions returns 0: there are no records to read.
func (h *histograms) Partitions() int { return 0 }

// Scan is never asked for a partition.
func (h *histograms) Scan(_ context.Context, partition int, _ []ingest.Request, _ func(*ingest.Batch) error) error {
	return fmt.Errorf("there is no partition %d in a file of histograms", partition)
}

// Metadata returns what the file says of itself.
func (h *histograms) Metadata() []ingest.KeyValue { return h.metadata() }

// Close does nothing.
func (h *histograms) Close() error { return nil }

// listed prints numbers for a message, the first few of many.
func listed(values []string) string {
	const most = 12
	if len(values) > most {
		return strings.Join(values[:most], ", ") + ", …"
	}
	return strings.Join(values, ", ")
}
