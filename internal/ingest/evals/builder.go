package evals

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

var (
	// ErrNoAnswers marks a file that holds no answer of an evaluation: another
	// kind of file, aggregates, or a run that scored nothing.
	ErrNoAnswers = errors.New("no answers in it")
	// ErrNoModel marks a file that holds no answers of the model asked for.
	ErrNoModel = errors.New("no answers of that model")
)

// record is what the answers to one item share.
type record struct {
	task, item, filter, turn, repeat string
	gold, question                   uint64
	text                             string
}

// row is an answer while the file is read.
type row struct {
	item                               string
	text                               string
	value                              float64
	gold, question                     uint64
	task, metric, filter, turn, repeat int32
	rec                                int32
	state                              ingest.AnswerState
}

const chunkRows = 8192

// builder collects the answers of one file.
type builder struct {
	opt    ingest.AnswerOptions
	words  words
	chunks [][]row
	n      int
	cur    record
	attrs  attrTable
	bare   []row // records without any score, of every metric of their task

	models []string
	facts  map[string]string
	lower  map[string]bool
	notes  []string
	counts map[counted]int
	order  []counted

	universe   [][2]string
	onceIsNone bool // a repeat that is the same for all answers says nothing
	tellDrops  bool // columns that group nothing are worth a note
}

func newBuilder(opt ingest.AnswerOptions) *builder {
	return &builder{opt: opt, facts: map[string]string{}, lower: map[string]bool{}, counts: map[counted]int{}}
}

// words numbers texts that occur often.
type words struct {
	list  []string
	index map[string]int32
}

func (w *words) id(s string) int32 {
	if id, ok := w.index[s]; ok {
		return id
	}
	if w.index == nil {
		w.index = map[string]int32{}
	}
	id := int32(len(w.list))
	w.list = append(w.list, s)
	w.index[s] = id
	return id
}

// wants notes that the file holds answers of a model, and reports whether they
// are to be read. As long as no model is asked for, those of the first are.
func (b *builder) wants(model string) bool {
	if len(b.models) == 0 || b.models[len(b.models)-1] != model && !slices.Contains(b.models, model) {
		b.models = append(b.models, model)
	}
	if b.opt.Model == "" {
		return model == b.models[0]
	}
	return sameModel(model, b.opt.Model)
}

// sameModel compares names, of which folders have "__" for "/".
func sameModel(a, b string) bool {
	return a == b || strings.ReplaceAll(a, "/", "__") == strings.ReplaceAll(b, "/", "__")
}

// begin starts a record, to which attr and add belong.
func (b *builder) begin(r record) {
	b.cur = r
	b.attrs.records++
	if !b.opt.KeepText {
		b.cur.text = ""
	}
}

// attr gives the record a word to be grouped by.
func (b *builder) attr(name, word string) { b.attrs.set(b.attrs.column(name), word) }

// attrOf gives the record the members of an object that are words, whole
// numbers or truth values.
func (b *builder) attrOf(prefix string, o value) {
	for k, v := range o.members() {
		switch v.kind() {
		case '"', 't', 'f':
		case '0':
			if strings.ContainsAny(string(v), ".eENI") {
				continue
			}
		default:
			continue
		}
		c := b.attrs.column(prefix + k)
		if c.gone {
			continue
		}
		if len(v) > 4*maxAttrBytes {
			c.drop()
			continue
		}
		b.attrs.set(c, v.text())
	}
}

// force makes a column an attribute however many words it has.
func (b *builder) force(name string) { b.attrs.column(name).forced = true }

// add gives the record a score.
func (b *builder) add(metric string, s score) {
	r := b.row(s.state)
	r.metric, r.value = b.words.id(metric), s.value
	if k := len(b.chunks); k == 0 || len(b.chunks[k-1]) == chunkRows {
		b.chunks = append(b.chunks, make([]row, 0, chunkRows))
	}
	k := len(b.chunks) - 1
	b.chunks[k] = append(b.chunks[k], r)
	b.n++
}

// none says that the record has no score of any metric: it failed, or was not
// scored. It counts for every metric that others of its task have.
func (b *builder) none(state ingest.AnswerState) { b.bare = append(b.bare, b.row(state)) }

func (b *builder) row(state ingest.AnswerState) row {
	c := &b.cur
	return row{
		item: c.item, text: c.text, gold: c.gold, question: c.question, state: state,
		task: b.words.id(c.task), filter: b.words.id(c.filter), turn: b.words.id(c.turn), repeat: b.words.id(c.repeat),
		rec: int32(b.attrs.records - 1),
	}
}

// fact adds to the fingerprint; an empty value says nothing.
func (b *builder) fact(key, val string) {
	if val != "" && val != "null" {
		b.facts[key] = clip(val, maxFact)
	}
}

const maxFact = 500

// note tells the user something, once.
func (b *builder) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if !slices.Contains(b.notes, n) {
		b.notes = append(b.notes, n)
	}
}

// counted is what is counted, and what is said of it.
type counted struct{ noun, text string }

// count tells the user how often something was met: "2 samples timed out".
func (b *builder) count(noun, text string) {
	c := counted{noun, text}
	if b.counts[c] == 0 {
		b.order = append(b.order, c)
	}
	b.counts[c]++
}

// plural is a number of things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// keepText shortens a text for people.
func (b *builder) keepText(v value) string {
	if !b.opt.KeepText {
		return ""
	}
	return clip(v.text(), maxText)
}

const maxText = 300

// clip cuts a text and puts it on one line.
func clip(s string, limit int) string {
	if len(s) > 4*limit {
		s = s[:4*limit]
	}
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "")
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
