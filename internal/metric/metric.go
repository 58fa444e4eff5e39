package metric

import (
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Direction says which change of a metric is harm.
type Direction int8

// The directions.
const (
	LowerIsBetter Direction = iota
	HigherIsBetter
)

// String returns "lower" or "higher".
func (d Direction) String() string { return [...]string{"lower", "higher"}[d] }

// Kind says of what a metric is made.
type Kind uint8

// The kinds.
const (
	PerRequest Kind = iota // a value per successful request: a distribution
	PerGap                 // a value per gap between two tokens: a distribution
	Share                  // a share of the requests
	PerRun                 // one value per run
	PerItem                // a score per item of an evaluation
)

// Base units, as the JSON report names them.
const (
	Seconds   = "s"
	Tokens    = "tokens"
	Unitless  = "1"
	PerSecond = "1/s"
)

// Metric is one thing that is measured. The registry's entries are shared and
// never modified.
type Metric struct {
	Name      string
	Unit      string
	Direction Direction
	Kind      Kind
	Text      string // one line for lists and reports
	Latency   bool   // judged by default, with the default latency margin
	Fraction  bool   // of a PerItem metric: scores lie between 0 and 1
	// Column is the stored name of a generic column, "" for a known metric.
	Column string
	// AssumedDirection tells that nothing but the default says which change of
	// a generic column is harm.
	AssumedDirection bool

	fields []ingest.Field // the fields it is computed from
	id     id
	slo    *SLO // of goodput and costs
	cost   Cost
}

type id uint8

const (
	idTTFT id = iota
	idTPOT
	idITL
	idChunkGap
	idE2E
	idLatency
	idOutputTPS
	idSuccess
	idRPS
	idTPS
	idGeneric
	idGoodput
	idGoodputRPS
	idCostGood
	idCostTokens
)

var registry = []Metric{
	{Name: "ttft", Unit: Seconds, Direction: LowerIsBetter, Latency: true, id: idTTFT, Text: "time to first token",
		fields: []ingest.Field{ingest.TTFT}},
	{Name: "tpot", Unit: Seconds, Direction: LowerIsBetter, Latency: true, id: idTPOT, Text: "time per output token after the first, a value per request",
		fields: []ingest.Field{ingest.TPOT, ingest.TTFT, ingest.E2E, ingest.Latency, ingest.OutputTokens}},
	{Name: "itl", Unit: Seconds, Direction: LowerIsBetter, Latency: true, Kind: PerGap, id: idITL, Text: "inter-token latency, a value per gap",
		fields: []ingest.Field{ingest.ITL, ingest.TTFT, ingest.E2E, ingest.Latency, ingest.OutputTokens}},
	{Name: "chunk_gap", Unit: Seconds, Direction: LowerIsBetter, Latency: true, Kind: PerGap, id: idChunkGap, Text: "gap between messages that may carry several tokens, a value per gap",
		fields: []ingest.Field{ingest.ChunkGap}},
	{Name: "e2e", Unit: Seconds, Direction: LowerIsBetter, Latency: true, id: idE2E, Text: "end-to-end latency",
		fields: []ingest.Field{ingest.E2E}},
	{Name: "latency", Unit: Seconds, Direction: LowerIsBetter, Latency: true, id: idLatency, Text: "latency, as the single latency column gives it",
		fields: []ingest.Field{ingest.Latency}},
	{Name: "output_tps", Unit: PerSecond, Direction: HigherIsBetter, id: idOutputTPS, Text: "output tokens per second of a request",
		fields: []ingest.Field{ingest.OutputTokens, ingest.E2E, ingest.Latency}},
	{Name: "success_rate", Unit: Unitless, Direction: HigherIsBetter, Kind: Share, id: idSuccess, Text: "requests that succeeded",
		fields: nil},
	{Name: "throughput_rps", Unit: PerSecond, Direction: HigherIsBetter, Kind: PerRun, id: idRPS, Text: "successful requests per second of a run",
		fields: []ingest.Field{ingest.Start, ingest.End, ingest.E2E, ingest.Latency}},
	{Name: "throughput_tps", Unit: PerSecond, Direction: HigherIsBetter, Kind: PerRun, id: idTPS, Text: "output tokens per second of a run",
		fields: []ingest.Field{ingest.Start, ingest.End, ingest.E2E, ingest.Latency, ingest.OutputTokens}},
}

// Known returns the metric of that name; ok is false if there is none.
func Known(name string) (m *Metric, ok bool) {
	for i := range registry {
		if registry[i].Name == name {
			return &registry[i], true
		}
	}
	return nil, false
}

// Names lists the known metrics, for messages.
func Names() string {
	return strings.Join(RegisteredNames(), ", ") + ", and with --slo goodput, goodput_rps, with --gpu-hour cost_per_good, cost_per_mtok"
}

// RegisteredNames lists the metrics that need no definition.
func RegisteredNames() []string {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].Name
	}
	return names
}

// higherStems are words that make a column's direction plain.
var higherStems = []string{"tokens_per_s", "tokens_per_sec", "tokens_per_second", "throughput", "tps", "rps", "qps", "goodput", "requests_per_s", "requests_per_sec", "requests_per_second"}

// Generic makes a metric of a numeric column. A column with a time suffix is a
// duration in seconds and lower is better; a column whose name ends in a rate
// ("tokens_per_s", "throughput") counts as higher is better; of any other column
// lower is assumed to be better, and marked as assumed.
func Generic(col ingest.GenericColumn) *Metric {
	m := &Metric{Name: col.Name, Column: col.Name, Unit: Unitless, id: idGeneric, Text: "column " + col.Name, AssumedDirection: true}
	if col.Unit != ingest.One {
		m.Unit, m.AssumedDirection = Seconds, false
	}
	norm := ingest.NormalName(col.Name)
	for _, s := range higherStems {
		if norm == s || strings.HasSuffix(norm, "_"+s) || strings.HasSuffix(norm, "."+s) {
			m.Unit, m.Direction, m.AssumedDirection = Unitless, HigherIsBetter, false
		}
	}
	return m
}

// Available reports whether a layout has what the metric is computed from, and
// if not, what is missing.
func (m *Metric) Available(l *ingest.Layout) (ok bool, missing string) {
	has := l.HasField
	whole := has(ingest.E2E) || has(ingest.Latency)
	switch m.id {
	case idTTFT, idITL, idChunkGap, idE2E, idLatency:
		if f := m.fields[0]; !has(f) {
			if m.id == idE2E && has(ingest.Latency) {
				return true, ""
			}
			return false, "a column for " + f.String()
		}
	case idTPOT:
		if has(ingest.TPOT) {
			return true, ""
		}
		if !has(ingest.TTFT) || !whole || !has(ingest.OutputTokens) {
			return false, "columns for ttft, e2e and output_tokens"
		}
	case idOutputTPS:
		if !whole || !has(ingest.OutputTokens) {
			return false, "columns for e2e and output_tokens"
		}
	case idRPS:
		if !has(ingest.Start) {
			return false, "a column for start"
		}
	case idTPS:
		if !has(ingest.Start) || !has(ingest.OutputTokens) {
			return false, "columns for start and output_tokens"
		}
	case idGoodput, idGoodputRPS, idCostGood, idCostTokens:
		if m.slo != nil {
			if missing := m.slo.missing(l); missing != "" {
				return false, missing
			}
		}
		if m.id != idGoodput && !has(ingest.Start) {
			return false, "a column for start"
		}
		if m.id == idCostTokens && !has(ingest.OutputTokens) {
			return false, "a column for output_tokens"
		}
	case idGeneric:
		if _, ok := m.column(l); !ok {
			return false, "a numeric column " + m.Column
		}
	}
	return true, ""
}

// column finds a generic metric's column: the exact name first, then the same
// stem in another time unit (queue_ms against queue_s).
func (m *Metric) column(l *ingest.Layout) (ingest.GenericColumn, bool) {
	for _, g := range l.Generic {
		if g.Name == m.Column {
			return g, true
		}
	}
	stem, unit := ingest.SplitUnit(ingest.NormalName(m.Column))
	for _, g := range l.Generic {
		s, u := ingest.SplitUnit(ingest.NormalName(g.Name))
		if s == stem && u.Known() == unit.Known() {
			return g, true
		}
	}
	return ingest.GenericColumn{}, false
}

// fieldsOf lists what must be read to compute the metric from a layout.
func (m *Metric) fieldsOf(l *ingest.Layout) []ingest.Field {
	if m.id == idTPOT && l.HasField(ingest.TPOT) {
		return []ingest.Field{ingest.TPOT, ingest.OutputTokens}
	}
	if m.id == idE2E && !l.HasField(ingest.E2E) {
		return []ingest.Field{ingest.Latency}
	}
	if m.slo != nil || m.id == idCostTokens || m.id == idCostGood {
		fields := []ingest.Field{ingest.OutputTokens}
		if m.Kind == PerRun {
			fields = append(fields, ingest.Start, ingest.End, ingest.E2E, ingest.Latency)
		}
		if m.slo != nil {
			for _, t := range m.slo.terms {
				fields = append(fields, t.m.fieldsOf(l)...)
			}
		}
		return fields
	}
	return m.fields
}

func (m *Metric) String() string { return m.Name }

// unknown is the error for a name that is neither a metric nor a column.
func unknown(name string, columns []string) error {
	cols := ""
	if len(columns) > 0 {
		cols = "; numeric columns are " + strings.Join(columns, ", ")
	}
	return fmt.Errorf("there is no metric or column %q; metrics are %s%s", name, Names(), cols)
}

// RunValue returns the value of a PerRun metric in a unit; ok is false where it
// has none.
func (m *Metric) RunValue(u *Unit) (v float64, ok bool) {
	d := u.Duration()
	if d <= 0 {
		return 0, false
	}
	switch m.id {
	case idRPS:
		return float64(u.OK()) / d, true
	case idTPS:
		return float64(u.OutputTokens) / d, true
	case idGoodputRPS:
		return float64(u.Good) / d, true
	case idCostGood:
		if n := m.Hits(u.OK(), u.Good); n > 0 {
			return m.cost.PerHour * d / 3600 / float64(n), true
		}
	case idCostTokens:
		if u.OutputTokens > 0 {
			return m.cost.PerHour * d / 3600 / float64(u.OutputTokens) * 1e6, true
		}
	}
	return 0, false
}

// Hits is how many of a run's requests count for a share or a cost: the
// successful ones, or, with an objective, those that met it.
func (m *Metric) Hits(ok, good int64) int64 {
	if m.slo != nil {
		return good
	}
	return ok
}
