package ingest

import (
	"math"
	"slices"
	"strings"
)

// checker decides for every record of one scan whether it counts.
type checker struct {
	r     *Reader
	tally Tally

	status, errs, phases, paired wordTable
	cuts                         []int64 // end of the warm-up of each run of the dictionary
}

// wordTable remembers what each word of a dictionary means. It keeps its own
// copy of the words: a reader may reuse the memory of a dictionary for another.
type wordTable struct {
	words []string
	class []Reason
}

// classes returns the meaning of each word of dict.
func (t *wordTable) classes(dict []string, classify func(string) Reason) []Reason {
	for i, w := range dict {
		switch {
		case i == len(t.words):
			t.words, t.class = append(t.words, w), append(t.class, classify(w))
		case t.words[i] != w:
			t.words[i], t.class[i] = w, classify(w)
		}
	}
	return t.class
}

func (c *checker) check(f *Frame) {
	f.Reasons = slices.Grow(f.Reasons[:0], f.N)[:f.N]
	clear(f.Reasons)
	c.checkModel(f)
	c.checkPair(f)
	c.checkPhase(f)
	c.checkWarmup(f)
	c.checkStatus(f)
	c.checkLatencies(f)
	c.checkTokens(f)
	c.checkGeneric(f)
	if d := c.r.opt.Duplicates; d != nil && f.cols[RequestID] != nil {
		d.check(c.r.Path, f)
	}
	f.listBad()
	f.Count(&c.tally.Counts)
}

// mark records why unless an earlier reason is known.
func mark(reasons []Reason, i int, why Reason) {
	if reasons[i] == Good {
		reasons[i] = why
	}
}

// markWords marks the records by what the words of a column mean. Most hold
// the same word, and it is good: it looks at eight records at a time.
func markWords(reasons []Reason, col *Column, class []Reason) {
	if col.State != nil {
		for i, s := range col.State[:len(reasons)] {
			if s == Present {
				mark(reasons, i, class[col.IDs[i]])
			}
		}
		return
	}
	ids := col.IDs[:len(reasons)]
	good := slices.Index(class[:len(col.Dict)], Good)
	for len(ids) > 0 {
		n := min(8, len(ids))
		if n == 8 {
			g, d := int32(good), (*[8]int32)(ids)
			if (d[0]^g)|(d[1]^g)|(d[2]^g)|(d[3]^g)|(d[4]^g)|(d[5]^g)|(d[6]^g)|(d[7]^g) == 0 {
				ids, reasons = ids[8:], reasons[8:]
				continue
			}
		}
		for i, id := range ids[:n] {
			mark(reasons, i, class[id])
		}
		ids, reasons = ids[n:], reasons[n:]
	}
}

// checkModel leaves out the records of other models than the chosen one.
func (c *checker) checkModel(f *Frame) {
	if f.model == nil {
		return
	}
	for i := range f.N {
		if f.model.StateAt(i) != Present || f.model.Dict[f.model.IDs[i]] != c.r.opt.Model {
			f.Reasons[i] = OtherModel
		}
	}
}

// checkPair leaves out the records without a partner.
func (c *checker) checkPair(f *Frame) {
	if c.r.opt.Unpaired {
		for i := range f.N {
			mark(f.Reasons, i, Unpaired)
		}
	}
	if f.pair == nil {
		return
	}
	if f.pair.State != nil {
		for i, s := range f.pair.State[:f.N] {
			if s != Present {
				mark(f.Reasons, i, Unpaired)
			}
		}
	}
	markWords(f.Reasons, f.pair, c.paired.classes(f.pair.Dict, func(w string) Reason {
		if c.r.opt.Paired(w) {
			return Good
		}
		return Unpaired
	}))
}

func (c *checker) checkPhase(f *Frame) {
	col := f.cols[Phase]
	if col == nil {
		return
	}
	class := c.phases.classes(col.Dict, func(w string) Reason {
		switch phaseKind(w) {
		case warmupPhase:
			return WarmupPhase
		case unknownPhase:
			if !slices.Contains(c.tally.UnknownPhases, w) {
				c.tally.UnknownPhases = append(c.tally.UnknownPhases, w)
			}
		}
		return Good
	})
	markWords(f.Reasons, col, class)
}

func (c *checker) checkWarmup(f *Frame) {
	start, run := f.cols[Start], f.cols[Run]
	if c.r.opt.Warmup <= 0 || start == nil {
		return
	}
	until := func(run string) int64 {
		if first, ok := c.r.opt.RunStart[run]; ok {
			return first + c.r.opt.Warmup
		}
		return math.MinInt64
	}
	if run == nil {
		cut := until("")
		for i := range f.N {
			if start.StateAt(i) == Present && start.Times[i] < cut {
				mark(f.Reasons, i, WarmupTime)
			}
		}
		return
	}
	c.cuts = c.cuts[:0]
	for _, w := range run.Dict {
		c.cuts = append(c.cuts, until(w))
	}
	for i := range f.N {
		if start.StateAt(i) == Present && run.StateAt(i) == Present && start.Times[i] < c.cuts[run.IDs[i]] {
			mark(f.Reasons, i, WarmupTime)
		}
	}
}

func (c *checker) checkStatus(f *Frame) {
	if col := f.cols[Status]; col != nil {
		b := c.r.Layout.Fields[Status]
		class := c.status.classes(col.Dict, func(w string) Reason {
			why := statusReason(w, b)
			if why == UnknownStatus && !slices.Contains(c.tally.UnknownStatus, w) {
				c.tally.UnknownStatus = append(c.tally.UnknownStatus, strings.Clone(w))
			}
			return why
		})
		markWords(f.Reasons, col, class)
	}
	if col := f.cols[HTTPStatus]; col != nil {
		for i := range f.N {
			switch col.StateAt(i) {
			case Present:
				mark(f.Reasons, i, httpReason(col.Floats[i]))
			case Malformed:
				mark(f.Reasons, i, UnknownStatus)
			}
		}
	}
	if col := f.cols[Error]; col != nil {
		markWords(f.Reasons, col, c.errs.classes(col.Dict, errorReason))
	}
}

// checkLatencies rejects latencies that cannot be.
func (c *checker) checkLatencies(f *Frame) {
	ttft, whole := f.cols[TTFT], f.cols[E2E]
	if whole == nil {
		whole = f.cols[Latency]
	}
	both := ttft != nil && whole != nil
	sound := both && ttft.State == nil && whole.State == nil && allInOrder(ttft.Floats[:f.N], whole.Floats[:f.N])
	asked := false
	for _, field := range [...]Field{TTFT, E2E, Latency, TPOT} {
		col := f.cols[field]
		if col == nil {
			continue
		}
		asked = true
		if !sound || col != ttft && col != whole {
			checkPositive(f.Reasons, col, f.N, field == TPOT)
		}
	}
	if !asked {
		return
	}
	if both && !sound {
		for i := range f.N {
			if ttft.StateAt(i) == Present && whole.StateAt(i) == Present {
				checkOrder(f.Reasons, i, ttft.Floats[i], whole.Floats[i])
			}
		}
	}
	c.checkAnyLatency(f)
}

// clockSlack is how far the first token may lie behind the end before the
// record is called impossible: both are rounded, often by different clocks.
const clockSlack = 1e-6

func checkOrder(reasons []Reason, i int, ttft, whole float64) {
	if ttft > whole+clockSlack+clockSlack*whole {
		mark(reasons, i, TTFTOverE2E)
	}
}

func checkPositive(reasons []Reason, col *Column, n int, zeroIsMissing bool) {
	if col.State == nil && allPositive(col.Floats[:n]) {
		return
	}
	for i, v := range col.Floats[:n] {
		s := col.StateAt(i)
		switch {
		case s == Missing || s == Present && v > 0 && v <= math.MaxFloat64:
		case s == Malformed || math.IsNaN(v):
			mark(reasons, i, NotANumber)
		case math.IsInf(v, 0):
			mark(reasons, i, Infinite)
		case v < 0:
			mark(reasons, i, Negative)
		case v == 0 && !zeroIsMissing:
			mark(reasons, i, ZeroLatency)
		}
	}
}

// checkAnyLatency rejects successful records that carry none of the latencies
// that the file has. Where only some of those are read, a record may carry
// another, and what is asked of it is only missing.
func (c *checker) checkAnyLatency(f *Frame) {
	var cols []*Column
	for _, field := range [...]Field{TTFT, E2E, Latency, TPOT, ITL, ChunkGap} {
		col := f.cols[field]
		switch {
		case col != nil && col.State == nil, col == nil && c.r.Layout.HasField(field):
			return
		case col != nil:
			cols = append(cols, col)
		}
	}
	for i := range f.N {
		if f.Reasons[i] == Good && !slices.ContainsFunc(cols, func(col *Column) bool { return col.State[i] != Missing }) {
			f.Reasons[i] = NoLatency
		}
	}
}

func (c *checker) checkTokens(f *Frame) {
	for _, field := range [...]Field{OutputTokens, PromptTokens, CachedTokens} {
		col := f.cols[field]
		if col == nil || col.State == nil && allCounts(col.Floats[:f.N]) {
			continue
		}
		for i, v := range col.Floats[:f.N] {
			s := col.StateAt(i)
			switch {
			case s == Missing || s == Present && v > 0 && v <= 1<<53 && v == math.Trunc(v):
			case s == Malformed || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v != math.Trunc(v):
				mark(f.Reasons, i, BadTokens)
			case v == 0 && field == OutputTokens:
				mark(f.Reasons, i, FailedEmpty)
			}
		}
	}
	for _, field := range [...]Field{Start, End, Scheduled, FirstToken} {
		if col := f.cols[field]; col != nil && col.State != nil {
			for i, s := range col.State[:f.N] {
				if s == Malformed {
					mark(f.Reasons, i, BadTime)
					c.badTime(f, i, field)
				}
			}
		}
	}
}

// badTime notes the first record that is rejected for a time.
func (c *checker) badTime(f *Frame, i int, field Field) {
	row := f.Row + int64(i)
	if at := c.tally.BadTime; f.Reasons[i] == BadTime && (at == nil || row < at.Row) {
		c.tally.BadTime = &BadCell{row, field}
	}
}

// checkGeneric rejects records whose generic value is no finite number; any
// sign is legal.
func (c *checker) checkGeneric(f *Frame) {
	check := func(v float64, i int) {
		switch {
		case math.IsNaN(v):
			mark(f.Reasons, i, NotANumber)
		case math.IsInf(v, 0):
			mark(f.Reasons, i, Infinite)
		}
	}
	for _, col := range f.Generic {
		if col.State == nil && allFinite(col.Floats[:f.N]) {
			continue
		}
		for i, v := range col.Floats[:f.N] {
			switch col.StateAt(i) {
			case Malformed:
				mark(f.Reasons, i, NotANumber)
			case Present:
				check(v, i)
			}
		}
	}
	for _, field := range [...]Field{ITL, ChunkGap} {
		col := f.cols[field]
		if col == nil {
			continue
		}
		for i := range f.N {
			if col.StateAt(i) == Malformed {
				mark(f.Reasons, i, NotANumber)
				continue
			}
			for _, v := range col.List(i) {
				check(v, i)
				if v < 0 {
					mark(f.Reasons, i, Negative)
				}
			}
		}
	}
}
