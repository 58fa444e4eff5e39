package harness

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// promIncrease is by how much a counter grew over the scrapes of a file.
type promIncrease struct {
	last, total float64
	seen        bool
}

// next takes the counter's next value; from the beginning tells that it counts
// from zero: it was reset, or appeared after the first scrape.
func (c *promIncrease) next(v float64, fromZero bool) {
	switch {
	case fromZero:
		c.total += v
	case c.seen:
		c.total += v - c.last
	}
	c.last, c.seen = v, true
}

// promHistogram is one series of histograms: a family and labels other than le.
type promHistogram struct {
	family string
	key    string // of its start: family and labels
	labels []promLabel

	// The snapshot that is being read.
	scrape, line int
	stamp        float64
	now          map[float64]float64 // cumulative counts by upper edge
	count, sum   float64             // NaN where not given
	countLine    int

	snapshots int
	taken     int // scrape of the snapshot before
	first     int // scrape of the first snapshot
	lone      promSnapshot
	edges     []float64      // of the first snapshot, in order
	grown     []promIncrease // by edge
	grownSum  promIncrease
	resets    int
	unlike    [2]float64 // where they differ: the bucket up to +Inf, and the count
	sumOff    bool       // the sum contradicts the buckets
}

// promSnapshot is the first snapshot: all there is where no other follows.
type promSnapshot struct {
	counts []float64
	sum    float64
}

// begin starts a snapshot.
func (h *promHistogram) begin(scrape, line int, stamp float64) {
	h.scrape, h.line, h.stamp = scrape, line, stamp
	h.now, h.count, h.sum, h.countLine = map[float64]float64{}, math.NaN(), math.NaN(), 0
}

// end takes the snapshot that was read into account.
func (h *promHistogram) end(p *promScan) error {
	if h.now == nil {
		return nil
	}
	fault := func(format string, args ...any) error {
		return &textio.Error{Line: int64(h.line), Msg: h.family + ": " + fmt.Sprintf(format, args...)}
	}
	if len(h.now) == 0 {
		h.now = nil
		return nil // a summary, or a histogram without buckets
	}
	if h.countLine > 0 {
		if err := wholeCount(h.family+"_count", h.count); err != nil {
			return &textio.Error{Line: int64(h.countLine), Msg: err.Error()}
		}
	}
	if all, ok := h.now[math.Inf(1)]; ok && !math.IsNaN(h.count) && h.count != all {
		h.unlike = [2]float64{all, h.count}
	} else if !ok {
		if math.IsNaN(h.count) {
			return fault(`there is no bucket le="+Inf" and no %s_count`, h.family)
		}
		h.now[math.Inf(1)] = h.count
	}
	edges := make([]float64, 0, len(h.now))
	for le := range h.now {
		edges = append(edges, le)
	}
	slices.Sort(edges)
	counts := make([]float64, len(edges))
	for i, le := range edges {
		if counts[i] = h.now[le]; i > 0 && counts[i] < counts[i-1] {
			return fault("%s values up to %s, but %s up to %s: buckets are cumulative", plainNumber(counts[i-1]), plainNumber(edges[i-1]), plainNumber(counts[i]), plainNumber(le))
		}
	}
	h.now = nil
	h.snapshots++
	if h.snapshots == 1 {
		h.first, h.edges, h.lone = h.scrape, edges, promSnapshot{counts, h.sum}
		h.grown = make([]promIncrease, len(edges))
	}
	if !slices.Equal(edges, h.edges) {
		return fault("the buckets differ from those of the scrape before: %s, then %s", edgeList(h.edges), edgeList(edges))
	}
	reset := h.snapshots > 1 && p.restarted(h.key, h.labels, h.taken, h.scrape)
	h.taken = h.scrape
	for i, v := range counts {
		reset = reset || h.grown[i].seen && v < h.grown[i].last
	}
	if reset {
		h.resets++
	}
	for i, v := range counts {
		h.grown[i].next(v, reset)
		if i > 0 && h.grown[i].total < h.grown[i-1].total {
			return fault("between two scrapes more values were added up to %s than up to %s: these are no two scrapes of one process", plainNumber(edges[i-1]), plainNumber(edges[i]))
		}
	}
	h.grownSum.next(h.sum, reset)
	return nil
}

// result is what the series holds of the run, given the number of scrapes of
// the file. A series that appears after the first scrape counts from zero.
func (h *promHistogram) result(scrapes int) ingest.Histogram {
	counts, sum := h.lone.counts, h.lone.sum
	if scrapes > 1 {
		sum = h.grownSum.total
		if h.first > 0 {
			sum += h.lone.sum
		}
		counts = make([]float64, len(h.edges))
		for i := range counts {
			if counts[i] = h.grown[i].total; h.first > 0 {
				counts[i] += h.lone.counts[i]
			}
		}
	}
	out := ingest.Histogram{Sum: sum}
	if !finite(sum) {
		out.Sum = math.NaN()
	}
	below, lower, least, most := 0.0, 0.0, 0.0, 0.0
	for i, le := range h.edges {
		if i == 0 && le <= 0 {
			lower = le // a point: nothing says how far below it the values lie
		}
		n := counts[i] - below
		out.Buckets = append(out.Buckets, ingest.Bucket{Lower: lower, Upper: le, Count: int64(n)})
		if n > 0 {
			if least += n * lower; i == 0 && le <= 0 {
				least = math.Inf(-1)
			}
			most += n * le
		}
		below, lower = counts[i], le
	}
	// A sum is a difference of large ones, and values lie on edges.
	slack := 1e-9*math.Abs(h.grownSum.last) + 1e-6*math.Abs(out.Sum)
	if out.Sum < least-slack || out.Sum > most+slack {
		out.Sum, h.sumOff = math.NaN(), true
	}
	return out
}

// plainNumber prints an edge or a count.
func plainNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func edgeList(edges []float64) string {
	var out []string
	for _, e := range edges {
		out = append(out, plainNumber(e))
	}
	return listed(out)
}
