package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// source makes the histograms of the run out of all series.
func (p *promScan) source() (ingest.Source, error) {
	scrapes := p.scrape + 1
	if !p.any {
		scrapes-- // the last one ended the file
	}
	out := &histograms{info: info{harness: "prometheus"}}
	families, byFamily := []string{}, map[string]*ingest.Histogram{}
	models, unlike := map[string]bool{}, map[string]bool{} // unlike: families that cannot be added
	resets, late, gone, odd := 0, 0, 0, false
	offSum := map[string]bool{}
	buckets, finiteEdge := false, false
	for _, h := range p.histograms {
		if h.snapshots == 0 {
			continue
		}
		buckets = true
		finiteEdge = finiteEdge || len(h.edges) > 1
		hist := h.result(scrapes)
		resets += h.resets
		if h.unlike != [2]float64{} && !odd {
			odd = true
			out.note("the bucket le=\"+Inf\" of %[1]s counts %[2]s values and %[1]s_count %[3]s, where both are the number of all: the scrape is damaged or mixed; the buckets are used", h.family, plainNumber(h.unlike[0]), plainNumber(h.unlike[1]))
		}
		if h.sumOff && !offSum[h.family] {
			offSum[h.family] = true
			out.note("%s_sum is no sum of values that lie in these buckets: the mean is estimated from the buckets", h.family)
		}
		if scrapes > 1 && h.snapshots == 1 {
			if h.first > 0 {
				late++
			} else if h.lone.counts[len(h.lone.counts)-1] > 0 {
				gone++
			}
		}
		if hist.Total() == 0 || len(h.edges) == 1 {
			continue
		}
		for _, l := range h.labels {
			if l.name == "model_name" || l.name == "model" {
				models[l.value] = true
				out.print("model", l.value)
			}
		}
		if unlike[h.family] {
			continue
		}
		all := byFamily[h.family]
		if all == nil {
			all = &ingest.Histogram{}
			byFamily[h.family] = all
			families = append(families, h.family)
		}
		if err := all.Add(&hist); err != nil {
			err = fmt.Errorf("the series of %s cannot be added: %w; replicas have to have the same buckets", h.family, err)
			if _, known := promNames[h.family]; known {
				return nil, err
			}
			out.note("%v. It is left out", err)
			unlike[h.family] = true
		}
	}
	switch {
	case !buckets:
		return nil, errors.New("the file is a scrape of metrics without a classic histogram: no line NAME_bucket{le=\"…\"}. Percentiles of a summary cannot be merged, and are not read")
	case !finiteEdge:
		return nil, errors.New("the histograms of the scrape have no bucket but +Inf; native histograms are not read: have the server expose classic buckets")
	case len(families) == 0 && scrapes > 1:
		return nil, fmt.Errorf("%w that was added between the first and the last of its %d scrapes: scrape before the load and after it", errNoValues, scrapes)
	case len(families) == 0:
		return nil, fmt.Errorf("%w: the scrape was made before the first request", errNoValues)
	case len(models) > 1:
		return nil, fmt.Errorf("the file holds the series of %d models (%s), which are no replicas of each other: keep the lines of one of them, for example with grep (INPUT#model=NAME takes records, and a scrape has none)", len(models), listed(sortedWords(models)))
	}
	families = slices.DeleteFunc(families, func(f string) bool { return unlike[f] })
	p.columns(out, families, byFamily, scrapes)
	p.outcomes(out, scrapes)
	if scrapes == 1 {
		out.note("one scrape only: it holds everything since the server started, warm-up and other loads included. Append a scrape made before the load in front of it")
	}
	if resets > 0 {
		out.note("a counter fell or began anew between two scrapes: the server was restarted, and its series count from zero from there; what came between the last scrape and the restart is lost (%d series)", resets)
	}
	if late > 0 {
		out.note("%d series appear after the first scrape and count from zero", late)
	}
	if gone > 0 {
		out.note("%d series are in the first scrape only: what they counted later is not known", gone)
	}
	return out, nil
}

// columns names the histograms: those that are known, then the others by their
// own names without the namespace.
func (p *promScan) columns(out *histograms, families []string, byFamily map[string]*ingest.Histogram, scrapes int) {
	slices.Sort(families)
	steps := p.steps(out, byFamily, scrapes)
	taken := map[string]bool{}
	names := map[string]string{}
	for _, known := range []bool{true, false} {
		for _, f := range families {
			name, ok := promNames[f]
			if ok != known {
				continue
			}
			if name == "itl_s" && steps[f] {
				name = chunkGaps
			}
			if !ok {
				name = f[strings.LastIndexByte(f, ':')+1:]
			}
			if taken[name] || name == "" {
				name = strings.ReplaceAll(f, ":", "_")
			}
			if taken[name] {
				continue // cannot be told from another
			}
			taken[name], names[f] = true, name
		}
	}
	for _, f := range families {
		if name, ok := names[f]; ok {
			out.add(name, *byFamily[f])
		}
	}
}

// steps tells the histograms of vLLM's gaps that lie between steps of the engine
// which give several tokens, as with speculative decoding: there are fewer gaps
// than tokens behind the first ones. A tenth is left to requests under way.
func (p *promScan) steps(out *histograms, byFamily map[string]*ingest.Histogram, scrapes int) map[string]bool {
	first := byFamily["vllm:time_to_first_token_seconds"]
	if first == nil {
		return nil
	}
	tokens := -first.Total()
	for _, c := range p.counters {
		if c.rule.tokens {
			tokens += c.added(scrapes)
		}
	}
	steps := map[string]bool{}
	for _, f := range []string{"vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds"} {
		if h := byFamily[f]; h != nil && float64(tokens) > 1.1*float64(h.Total()) {
			steps[f] = true
			out.note("%s has %d gaps for %d tokens after the first ones: they lie between steps that give several tokens, and are %s, not inter-token latencies", f, h.Total(), tokens, chunkGaps)
		}
	}
	return steps
}

// outcomes sums the counters of requests.
func (p *promScan) outcomes(out *histograms, scrapes int) {
	var ok, failed, all int64
	total := false
	for _, c := range p.counters {
		n := c.added(scrapes)
		switch r := c.rule; {
		case r.tokens:
		case r.all:
			all, total = all+n, true
		case r.failed:
			failed += n
		case r.label == "" || slices.Contains(r.ok, c.value):
			ok, out.known = ok+n, true
		default:
			failed, out.known = failed+n, true
		}
	}
	if total && !out.known && failed <= all {
		ok, out.known = all-failed, true
	}
	out.known = out.known && ok+failed > 0
	out.ok, out.failed = ok, failed
}

func sortedWords(set map[string]bool) []string {
	var out []string
	for w := range set {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}
