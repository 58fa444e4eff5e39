package harness

import (
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// maxWord is the longest text of a column that is kept, in bytes. What is
// longer is a traceback.
const maxWord = 400

// row is one request as a reader has read it so far.
type row struct {
	want columnSet // the columns that anyone will look at
	has  columnSet // those with a value
	bad  columnSet // those whose value cannot be read
	num  [numColumns]float64
	at   [numColumns]int64
	text [numText][]byte
	gaps []float64 // seconds
	// counted tells who counted the tokens of the answer, "" where it is not known.
	counted string
}

// reset begins a new request.
func (w *row) reset() {
	w.has, w.bad = 0, 0
	w.gaps = w.gaps[:0]
	w.counted = ""
}

func (w *row) clear(c column) {
	w.has.remove(c)
	w.bad.remove(c)
}

func (w *row) setNumber(c column, v float64) {
	w.num[c] = v
	w.has.add(c)
	w.bad.remove(c)
}

func (w *row) setTime(c column, ns int64) {
	w.at[c] = ns
	w.has.add(c)
	w.bad.remove(c)
}

func (w *row) setText(c column, s []byte) {
	w.text[c] = append(w.text[c][:0], s...)
	w.has.add(c)
}

func (w *row) setWord(c column, s string) {
	w.text[c] = append(w.text[c][:0], s...)
	w.has.add(c)
}

// setGaps marks the list of gaps as read.
func (w *row) setGaps() { w.has.add(colGaps) }

// setBad marks a value that cannot be read.
func (w *row) setBad(c column) {
	w.has.remove(c)
	w.bad.add(c)
}

// number returns a number, 0 if there is none.
func (w *row) number(c column) float64 {
	if !w.has.has(c) {
		return 0
	}
	return w.num[c]
}

// parseNumber takes a number as a cell spells it, an empty cell as none.
func (w *row) parseNumber(c column, s []byte, u ingest.Unit) {
	if isNull(s) {
		return
	}
	v, ok := textio.ParseFloat(s)
	if !ok {
		w.setBad(c)
		return
	}
	w.setNumber(c, u.ToBase(v))
}

// parseTime takes a timestamp, or a number of units.
func (w *row) parseTime(c column, s []byte, u ingest.Unit) {
	if isNull(s) {
		return
	}
	ns, ok := textio.ParseNanos(s, u)
	if !ok {
		ns, ok = textio.ParseTimestamp(s)
	}
	if !ok {
		w.setBad(c)
		return
	}
	w.setTime(c, ns)
}

// parseText takes a text, an empty one as none.
func (w *row) parseText(c column, s []byte) {
	if isNull(s) {
		return
	}
	w.setText(c, s)
}

// isNull reports whether a cell holds nothing.
func isNull(s []byte) bool {
	switch string(s) {
	case "", "null", "NULL", "None", "none", `\N`, "nil":
		return true
	}
	return false
}

// fail marks the request as failed. The status word comes from what is said of
// the failure; latencies of zero, which stand for none, are set aside.
func (w *row) fail(status string) {
	w.setWord(colStatus, status)
	for _, c := range [...]column{colTTFT, colTTFO, colTTFB, colE2E, colLatency} {
		if w.has.has(c) && !(w.num[c] > 0) {
			w.clear(c)
		}
	}
}

// drop takes back every latency: what stands there is no measurement.
func (w *row) drop() {
	for _, c := range [...]column{colTTFT, colTTFO, colTTFB, colE2E, colLatency, colGaps} {
		w.clear(c)
	}
}

// Status words, as package ingest knows them.
const (
	statusOK         = "ok"
	statusError      = "error"
	statusTimeout    = "timeout"
	statusCancelled  = "cancelled"
	statusIncomplete = "incomplete"
)

// statusOf returns the status word of a failure from the text that tells of it.
func statusOf(text string) string {
	t := strings.ToLower(text)
	switch {
	case strings.Contains(t, "timeout") || strings.Contains(t, "timed out") || strings.Contains(t, "deadline exceeded"):
		return statusTimeout
	case strings.Contains(t, "cancelled") || strings.Contains(t, "canceled") || strings.Contains(t, "cancellation"):
		return statusCancelled
	}
	return statusError
}

// firstLine cuts a text to what is said of an error: the last line of a Python
// traceback, else the first line, of bounded length.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "Traceback (most recent call last)") {
		if i := strings.LastIndexByte(s, '\n'); i >= 0 {
			s = strings.TrimSpace(s[i+1:])
		}
	}
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if len(s) > maxWord {
		cut := maxWord
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut]
	}
	return s
}

// seconds returns the seconds between two times.
func seconds(from, to int64) float64 { return float64(to-from) / 1e9 }

// finite reports whether v is a number.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
