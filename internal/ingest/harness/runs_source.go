package harness

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// runsKind is how one harness of this layout differs from another.
type runsKind struct {
	harness string
	detail  string // the flag that writes a value per request
	full    string // the flag that writes all of them
	fields  map[string]string
}

// runsSource is a file of runs, each an object of parallel arrays.
type runsSource struct {
	file  ingest.File
	runs  []*run
	parts [][2]int // run and batch
	cols  []column
	gaps  string
	rows  int64
	meta  []ingest.KeyValue
}

// openRuns reads all objects of the file.
func openRuns(f ingest.File, k runsKind) (ingest.Source, error) {
	s := &runsSource{file: f}
	r := newJSON(context.Background(), f, textio.TextStart(f))
	r.records(func() {
		u := readRun(r)
		switch {
		case r.err != nil:
		case u.merged != "":
			r.err = &fault{off: u.off, msg: fmt.Sprintf("the object is the %s of several runs and not a run; give the files of the runs instead", u.merged)}
		case !u.detailed() && u.n == 0 && !u.aggregates && math.IsNaN(u.completed):
			r.err = &fault{off: u.off, msg: "the object is no result of " + k.harness + ": it has no times and no aggregates"}
		case !u.detailed():
			r.err = &fault{off: u.off, msg: "the object holds aggregates only, no times per request; run the benchmark again with " + k.detail}
		default:
			s.runs = append(s.runs, u)
			if s.rows += int64(u.n); s.rows > maxRequests || len(s.runs) > maxRuns {
				r.err = fmt.Errorf("the file holds %d runs with %d requests; at most %d and %d can be read", len(s.runs), s.rows, maxRuns, maxRequests)
			}
		}
	})
	if r.err != nil {
		return nil, place(f, r.err)
	}
	if len(s.runs) == 0 {
		return nil, fmt.Errorf("the file holds no run; expected a JSON object as %s writes it", k.harness)
	}
	n := info{harness: k.harness}
	s.label()
	s.survey(&n, k)
	s.meta = n.metadata()
	return s, nil
}

// label names the runs and their load steps.
func (s *runsSource) label() {
	varying := varyingKeys(s.runs)
	for i, u := range s.runs {
		var parts []string
		for _, key := range configKeys {
			v, ok := u.config[key]
			always := key == "request_rate" || key == "max_concurrency"
			if ok && (always || slices.Contains(varying, key)) && key != "tag" && key != "label" {
				parts = append(parts, strings.TrimPrefix(key, "max_")+"="+v)
			}
		}
		u.stage = strings.Join(parts, " ")
		if len(s.runs) > 1 {
			u.label = fmt.Sprintf("%s#%d", s.file.Path, i+1)
			if tag := u.config["tag"]; tag != "" {
				u.label += " " + tag
			}
		}
	}
}

// varyingKeys lists what the runs of a file were asked to do differently.
func varyingKeys(runs []*run) (keys []string) {
	for _, key := range configKeys {
		for _, u := range runs[1:] {
			if u.config[key] != runs[0].config[key] {
				keys = append(keys, key)
				break
			}
		}
	}
	return keys
}

// survey finds the columns, counts, and says what the user must know.
func (s *runsSource) survey(n *info, k runsKind) {
	var seen columnSet
	var gaps gapTally
	var stages []string
	zeros, means := 0, false
	all, alike := 0, 0
	w := row{want: ^columnSet(0)}
	for i, u := range s.runs {
		ok := 0
		for j := range u.n {
			w.reset()
			u.fill(&w, j)
			seen |= w.has | w.bad
			if string(w.text[colStatus]) != statusOK {
				continue
			}
			ok++
			if u.gapLen.n > 0 && !u.meanGap {
				gaps.add(int(u.gapLen.at(j)), w.number(colOutputTokens))
			}
			if u.arrays[ttfts].at(j) == 0 {
				zeros++
			}
		}
		name := ""
		if len(s.runs) > 1 {
			name = fmt.Sprintf("run %d: ", i+1)
		}
		if !math.IsNaN(u.completed) && float64(ok) != u.completed {
			n.note("%sthe file says that %.0f requests completed; by their errors, lengths and times %d of %d did", name, u.completed, ok, u.n)
		}
		if u.arrays[ttfts].n == 0 {
			n.note("%sno first-token times were saved; they are with %s", name, k.full)
		}
		rate, limit := u.config["request_rate"], u.config["max_concurrency"]
		if v, isNum := textio.ParseFloat([]byte(rate)); isNum && finite(v) && limit != "" && u.arrays[queues].n == 0 {
			n.note("%srequests were sent at %s/s but at most %s at a time, and the wait for a place is in no latency", name, rate, limit)
		}
		means = means || u.meanGap
		all, alike = all+u.gapAll, alike+u.gapEqual
		if u.gapLen.n > 0 && !u.meanGap {
			seen.add(colGaps)
		}
		if !slices.Contains(stages, u.stage) {
			stages = append(stages, u.stage)
		}
		if _, isNum := u.loadNumber("max_concurrency"); isNum {
			seen.add(colConcurrency)
		}
		if _, isNum := u.loadNumber("request_rate"); isNum {
			seen.add(colRate)
		}
		for c := range (u.n + ingest.BatchRows - 1) / ingest.BatchRows {
			s.parts = append(s.parts, [2]int{i, c})
		}
		s.fingerprint(n, u, k)
	}
	if len(s.runs) > 1 {
		seen.add(colRun)
	}
	if zeros > 0 {
		n.note("%d successful requests have a first-token time of zero: they were not streamed, and have none", zeros)
	}
	if means {
		n.note("the file holds the mean gap of each request instead of its gaps: there are no inter-token latencies")
	}
	if len(stages) > 1 {
		n.note("the file holds %d runs under %d different loads (column stage: %s): compare like with like", len(s.runs), len(stages), strings.Join(stages[:min(len(stages), 6)], "; "))
	}
	for c := column(0); c < numColumns; c++ {
		if seen.has(c) {
			s.cols = append(s.cols, c)
		}
	}
	s.gaps = gaps.name()
	kind := ""
	switch spread := float64(alike) > alikeShare*float64(all); {
	case means:
		kind = "mean"
	case !seen.has(colGaps):
	case s.gaps == chunkGaps:
		kind = "chunk"
		gaps.explain(n)
	case spread:
		kind = "spread"
		n.note("%d of %d gaps are exactly as long as the one before: the time before a message is spread evenly over its tokens", alike, all)
	default:
		kind = "token"
	}
	n.print("gap_kind", kind)
}

// alikeShare is the share of exactly equal neighbours beyond which gaps cannot
// have been measured one by one.
const alikeShare = 0.02

// fingerprint keeps what was measured and how.
func (s *runsSource) fingerprint(n *info, u *run, k runsKind) {
	for _, key := range slices.Sorted(maps.Keys(u.config)) {
		if key == "tag" || key == "label" {
			continue
		}
		name := key
		if better, ok := k.fields[key]; ok {
			name = better
		}
		n.print(name, u.config[key])
	}
}

// loadNumber returns a number of the configuration that is finite.
func (u *run) loadNumber(key string) (float64, bool) {
	v, ok := textio.ParseFloat([]byte(u.config[key]))
	return v, ok && finite(v)
}

func (s *runsSource) Columns() []ingest.ColumnInfo {
	out := make([]ingest.ColumnInfo, len(s.cols))
	for i, c := range s.cols {
		out[i] = c.info(s.gaps)
	}
	return out
}

func (s *runsSource) Rows() int64                 { return s.rows }
func (s *runsSource) Partitions() int             { return len(s.parts) }
func (s *runsSource) Metadata() []ingest.KeyValue { return s.meta }
func (s *runsSource) Close() error                { return nil }

// Scan reads the requested columns of one batch of one run.
func (s *runsSource) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition < 0 || partition >= len(s.parts) {
		return fmt.Errorf("partition %d of %d", partition, len(s.parts))
	}
	b, err := newBuilder(s.cols, req, yield)
	if err != nil {
		return err
	}
	u, chunk := s.runs[s.parts[partition][0]], s.parts[partition][1]
	first := chunk * ingest.BatchRows
	last := min(first+ingest.BatchRows, u.n)
	var r *jsonReader
	want := b.wanted()
	if want.has(colGaps) && u.gapLen.n > 0 && !u.meanGap {
		r = newJSON(ctx, s.file, u.gapAt[chunk])
	}
	concurrency, limited := u.loadNumber("max_concurrency")
	rate, paced := u.loadNumber("request_rate")
	w := row{want: want}
	for i := first; i < last; i++ {
		w.reset()
		u.fill(&w, i)
		fillScheduled(&w)
		if u.label != "" {
			w.setWord(colRun, u.label)
		}
		if limited {
			w.setNumber(colConcurrency, concurrency)
		}
		if paced {
			w.setNumber(colRate, rate)
		}
		if r != nil {
			if u.readGapList(r, &w, i < last-1); r.err != nil {
				return place(s.file, r.err)
			}
		}
		if err := b.add(ctx, &w); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// readGapList reads the list of gaps of the next request.
func (u *run) readGapList(r *jsonReader, w *row, more bool) {
	if r.peek() == '[' {
		var ok bool
		if w.gaps, ok = r.floats(w.gaps, ingest.Second); ok {
			w.setGaps()
		} else {
			w.setBad(colGaps)
		}
	} else {
		r.skip()
	}
	if more && r.err == nil && r.peek() == ',' {
		r.i++
	}
}
