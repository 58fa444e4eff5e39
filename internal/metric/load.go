package metric

import (
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Load is how hard a side was driven, as the starts of its requests tell.
type Load struct {
	// Rate is the number of requests that started per second, the mean over
	// runs; 0 where the records do not tell.
	Rate float64
	// Duration is the mean length of a run in seconds, 0 where unknown.
	Duration float64
	// AtOnce tells that the requests of each run all have the same start. Rate is
	// then the least that can be: starts may be given in whole seconds.
	AtOnce bool
	// Untimed is the number of runs whose rate is not known as too many requests
	// have no start, or none that a clock reads.
	Untimed int
	// PerPart tells that the rate was taken from what a large file says of its
	// parts, not from the starts themselves.
	PerPart bool
}

// minTimed is the number of requests from which a run has a rate.
const minTimed = 10

// LoadOf returns the load of a side: from the starts of each run where they
// were read, else from the ranges that the file gives for its parts.
func LoadOf(in *Input, s *Side) Load {
	var l Load
	n, atOnce := 0.0, 0.0
	for _, u := range s.Units {
		span := float64(u.LastStart-u.FirstStart) / 1e9
		switch {
		case u.Requests() < minTimed || !u.HasTime && u.Untimed == 0:
			continue
		case !u.Timed():
			l.Untimed++
			continue
		case span <= 0 && u.Histograms:
			continue
		case span <= 0:
			span = 1
			atOnce++
		}
		n++
		l.Rate += float64(u.served()-1) / span
		l.Duration += u.Duration()
	}
	if n > 0 && n >= float64(l.Untimed) {
		l.Rate, l.Duration, l.AtOnce = l.Rate/n, l.Duration/n, atOnce == n
		return l
	}
	if l.Untimed > 0 {
		return Load{Untimed: l.Untimed}
	}
	l.Rate, l.PerPart = partRate(in, s), true
	return l
}

// partRate is the median, over the parts of the files, of records per second of
// a part: right where files are in the order of time, whatever lies between
// runs. Parts that overlap in time say nothing.
func partRate(in *Input, s *Side) float64 {
	type span struct{ lo, hi, n float64 }
	var spans []span
	for i, f := range in.Files {
		r, ok := f.Source.(ingest.Ranger)
		b := f.Layout.Fields[ingest.Start]
		if !ok || !b.Bound() {
			return 0
		}
		for p := range f.Source.Partitions() {
			lo, hi, known := r.Range(p, b.Column, b.Unit)
			if !known || p >= len(s.Files[i].PartitionRows) {
				return 0
			}
			spans = append(spans, span{float64(lo), float64(hi), float64(s.Files[i].PartitionRows[p])})
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		switch {
		case a.lo < b.lo:
			return -1
		case a.lo > b.lo:
			return 1
		}
		return 0
	})
	var rates []float64
	for i, sp := range spans {
		if sp.hi <= sp.lo || sp.n < minTimed || i > 0 && sp.lo < spans[i-1].hi-(spans[i-1].hi-spans[i-1].lo)/10 {
			return 0
		}
		rates = append(rates, (sp.n-1)/(sp.hi-sp.lo)*1e9)
	}
	if len(rates) == 0 {
		return 0
	}
	slices.Sort(rates)
	return rates[(len(rates)-1)/2]
}

// MeanLatency returns the mean end-to-end latency of a side in seconds, 0 where
// no item of the plan measures it.
func MeanLatency(items []Item, s *Side) float64 { return meanOf(items, s, idE2E, idLatency) }

// MeanWait returns the mean in seconds of the first latency of the plan that
// counts from the start of a request, 0 where there is none.
func MeanWait(items []Item, s *Side) float64 { return meanOf(items, s, idTTFT, idE2E, idLatency) }

// meanOf is the mean over runs of the mean of the first item that is one of some
// metrics.
func meanOf(items []Item, s *Side, ids ...id) float64 {
	for i, it := range items {
		if !slices.Contains(ids, it.Metric.id) {
			continue
		}
		sum, n := 0.0, 0.0
		for _, sk := range s.Sketches(i) {
			if mean, _, err := sk.MeanVariance(); err == nil {
				sum, n = sum+mean, n+1
			}
		}
		if n > 0 && !math.IsNaN(sum) {
			return sum / n
		}
	}
	return 0
}

// RunMedians returns the least and the greatest median of the units of a side,
// of the first latency of the items; ok is false for fewer than two units.
func RunMedians(items []Item, s *Side) (least, most float64, ok bool) {
	for i, it := range items {
		if !it.Metric.Latency {
			continue
		}
		n := 0
		for _, sk := range s.Sketches(i) {
			v, err := sk.Quantile(0.5)
			if err != nil {
				continue
			}
			if n == 0 {
				least, most = v, v
			}
			least, most = math.Min(least, v), math.Max(most, v)
			n++
		}
		return least, most, n >= 2
	}
	return 0, 0, false
}

// TokenColumns returns the names of the columns that the tokens of the answers of
// a side are read from, sorted and joined; "" where a file has none.
func TokenColumns(in *Input) string { return columnsOf(in, ingest.OutputTokens) }

// FromScheduled tells whether the latencies of a side count from the times at
// which its requests should have been sent.
func FromScheduled(in *Input) bool { return !in.Service && columnsOf(in, ingest.Scheduled) != "" }

func columnsOf(in *Input, field ingest.Field) string {
	var names []string
	for _, f := range in.Files {
		b := f.Layout.Fields[field]
		if !b.Bound() {
			return ""
		}
		if !slices.Contains(names, b.Name) {
			names = append(names, b.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
