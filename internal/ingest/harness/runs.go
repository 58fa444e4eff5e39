package harness

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// numbers is a long list of numbers in pieces of a batch.
type numbers struct {
	chunks [][]float64
	n      int
}

func (l *numbers) add(v float64) {
	if l.n%ingest.BatchRows == 0 {
		l.chunks = append(l.chunks, nil)
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, v)
	l.n++
}

// at returns element i, missing if the list is empty.
func (l *numbers) at(i int) float64 {
	if l.n == 0 {
		return missing
	}
	return l.chunks[i/ingest.BatchRows][i%ingest.BatchRows]
}

// Names of the parallel arrays, by what they hold. Forks rename some.
var arrayNames = map[string]int{
	"input_lens": inputLens, "output_lens": outputLens,
	"ttfts": ttfts, "latencies": latencies, "e2els": latencies, "e2e_latencies": latencies,
	"start_times": starts, "send_times": starts, "request_timestamps": starts,
	"queue_times": queues, "cached_tokens": cached,
}

const (
	inputLens = iota
	outputLens
	ttfts
	latencies
	starts
	queues
	cached
	numArrays
)

// malformed stands in a list of numbers for what is none.
var malformed = math.Float64frombits(malformedBits)

const malformedBits = 0x7ff8_0000_0062_6164

// run is one execution of a harness that writes an array per measurement.
type run struct {
	off    int64 // where its object begins
	n      int
	arrays [numArrays]numbers
	names  [numArrays]string // as the file spells them

	// Lists of gaps stay in the file: here is where those of every batch begin,
	// and of every request how many there are and their sum.
	gapAt    []int64
	gapAll   int // gaps of all lists
	gapEqual int // those that are exactly as long as the one before
	gapLen   numbers
	gapSum   numbers
	meanGap  bool // one number a request instead: the mean gap

	errs         []int32
	errWords     words
	sessions     []int32
	sessionWords []string
	failures     map[int]string // of a list of failed requests, by index

	config     map[string]string // what the run was asked to do
	completed  float64           // as the file counts; missing if it does not
	aggregates bool              // means or percentiles stand in the object
	merged     string            // how several runs were made into this object
	label      string
	stage      string
}

// detailed reports whether the run has a latency per request.
func (u *run) detailed() bool {
	return u.arrays[ttfts].n > 0 || u.arrays[latencies].n > 0
}

// outcome returns the status word of request i and what is said of it. Several
// signs are put together: an error text, a list of failed requests, no output,
// and zeros where a latency should be.
func (u *run) outcome(i int) (status, text string) {
	if len(u.errs) > 0 {
		text = u.errWords.list[u.errs[i]]
	}
	if text == "" && u.failures != nil {
		text = u.failures[i]
	}
	if text != "" {
		return statusOf(text), text
	}
	out, ttft, lat := u.arrays[outputLens].at(i), u.arrays[ttfts].at(i), u.arrays[latencies].at(i)
	switch {
	case out == 0:
		return statusError, "no output and no error text"
	case lat == 0 || isMissing(lat) && u.arrays[latencies].n > 0:
		return statusError, "no latency and no error text"
	case ttft == 0 && !(lat > 0) && !(u.gapSum.at(i) > 0):
		return statusIncomplete, "the answer is empty: no first token"
	case isMissing(ttft) && u.arrays[ttfts].n > 0 && !(lat > 0):
		return statusIncomplete, "the answer is empty: no first token"
	}
	return statusOK, ""
}

// fill fills a row with request i.
func (u *run) fill(w *row, i int) {
	status, text := u.outcome(i)
	if w.setWord(colStatus, status); text != "" {
		w.setWord(colError, text)
	}
	set := func(c column, a int) {
		switch v := u.arrays[a].at(i); math.Float64bits(v) {
		case missingBits:
		case malformedBits:
			w.setBad(c)
		default:
			w.setNumber(c, v)
		}
	}
	set(colPromptTokens, inputLens)
	set(colOutputTokens, outputLens)
	set(colCachedTokens, cached)
	// A zero is no measurement: the request failed, or was not streamed.
	if set(colTTFT, ttfts); w.has.has(colTTFT) && w.num[colTTFT] == 0 {
		w.clear(colTTFT)
	}
	if set(colE2E, latencies); w.has.has(colE2E) && w.num[colE2E] == 0 {
		w.clear(colE2E)
	}
	if status == statusOK && u.arrays[latencies].n == 0 && w.has.has(colTTFT) {
		switch {
		case u.meanGap && w.has.has(colOutputTokens):
			w.setNumber(colE2E, w.num[colTTFT]+u.gapSum.at(i)*max(w.num[colOutputTokens]-1, 0))
		case u.gapSum.n > 0 && !u.meanGap:
			w.setNumber(colE2E, w.num[colTTFT]+u.gapSum.at(i))
		}
	}
	if status == statusIncomplete {
		// The number is the one that was asked for.
		if w.has.has(colOutputTokens) {
			w.setNumber(colRequestedTokens, w.num[colOutputTokens])
			w.setNumber(colOutputTokens, 0)
		}
	}
	if len(u.sessions) > 0 {
		w.parseText(colSession, []byte(u.sessionWords[u.sessions[i]]))
	}
	if u.stage != "" {
		w.setWord(colStage, u.stage)
	}
	if start := u.arrays[starts].at(i); isStamp(start) {
		w.setTime(colStart, int64(math.Round(start*1e9)))
		if wait := u.arrays[queues].at(i); isStamp(wait) {
			w.setTime(colScheduled, w.at[colStart]-int64(math.Round(wait*1e9)))
		}
	}
}

// isStamp reports whether v is a number of seconds that fits nanoseconds.
func isStamp(v float64) bool { return math.Abs(v) < 9e9 }
