package evals

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// isRecords detects a file of records of any kind; whether it has an item and a
// score is for the reader to say.
func isRecords(s *shape) bool {
	if s.in == columnar || s.records() {
		return true
	}
	head := make([]byte, min(s.file.Size, headBytes))
	n, _ := s.file.ReadAt(head, 0)
	return s.in == otherFile && textio.CSV.Detect(head[:n], s.file)
}

// readRecords reads records with a column for the item and one or more for its
// scores: Parquet, Arrow, CSV, JSON lines and JSON arrays. With a column that
// names the metric a record is an answer; without one, every column of scores
// is a metric. Columns that are no field and whose words repeat are attributes.
//
// Metadata of the file whose keys begin with "qualdiff.", or a file NAME.meta.json
// beside it, describe the run.
func readRecords(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (_ *ingest.AnswerSet, err error) {
	t, err := openTable(f)
	if errors.Is(err, ingest.ErrNoRecords) {
		return nil, fmt.Errorf("%w: it is no file of records; expected Parquet, Arrow, CSV, an object a line or an array of objects", ErrNoAnswers)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = t.close(err) }()
	p, err := planColumns(t.cols, opt)
	if err != nil {
		return nil, err
	}
	b := newBuilder(opt)
	b.tellDrops = true
	r := newRecords(t, p, b)
	if err := r.meta(ctx, f, t); err != nil {
		return nil, err
	}
	if err := t.scan(ctx, r.batch); err != nil {
		return nil, err
	}
	r.report()
	return b.finish()
}

// records reads batches of a table into answers.
type records struct {
	b       *builder
	p       *plan
	at      map[fieldName]int // columns of a batch
	scores  []scoreCells
	attrs   []attrCells
	byText  occurrences // items without an id
	model   string      // of the metadata
	strange map[string]int
	missing int
}

type scoreCells struct {
	metric string
	column string
	at     int
	words  bool // read as text
}

type attrCells struct {
	col     *attrColumn
	at      int
	numbers bool // only whole ones are words
}

func newRecords(t *table, p *plan, b *builder) *records {
	r := &records{b: b, p: p, at: map[fieldName]int{}, strange: map[string]int{}}
	for _, f := range fieldAliases() {
		if f.field != scoreField {
			r.at[f.field] = t.ask(p.field[f.field], ingest.Text)
		}
	}
	if p.field[itemField] < 0 {
		r.byText = occurrences{}
		b.note("no column names the item: items are known by the text of column %q, and equal texts by their order", t.cols[p.field[questionField]].Name)
	}
	for _, s := range p.scores {
		c := scoreCells{metric: s.metric, column: t.cols[s.column].Name}
		switch t.cols[s.column].Class {
		case ingest.NumericClass, ingest.BoolClass, ingest.NullClass:
			c.at = t.ask(s.column, ingest.Number)
		default:
			c.at, c.words = t.ask(s.column, ingest.Text), true
		}
		r.scores = append(r.scores, c)
	}
	if r.at[clusterField] >= 0 {
		b.force("cluster")
	}
	for _, i := range p.attrs {
		name := t.cols[i].Name
		for _, prefix := range []string{"slice.", "slices."} {
			name = strings.TrimPrefix(name, prefix)
		}
		if at := t.ask(i, ingest.Text); at >= 0 {
			r.attrs = append(r.attrs, attrCells{b.attrs.column(name), at, t.cols[i].Class == ingest.NumericClass})
		}
	}
	return r
}

func (r *records) batch(bt *ingest.Batch) error {
	b := r.b
	for i := range bt.N {
		get := func(f fieldName) string { return cell(bt, r.at[f], i) }
		model := get(modelField)
		if model == "" {
			model = r.model
		}
		if (model != "" || r.at[modelField] >= 0) && !b.wants(model) {
			continue
		}
		question := get(questionField)
		rec := record{
			task: get(taskField), item: get(itemField), filter: get(filterField), turn: get(turnField), repeat: get(repeatField),
			gold: fingerprint(get(goldField)), question: fingerprint(question), text: clip(question, maxText),
		}
		switch {
		case r.byText != nil && question == "":
			return &rowError{i, errors.New("neither an item nor its text")}
		case r.byText != nil:
			rec.item = r.byText.item(textID(question))
		case rec.item == "":
			return &rowError{i, errors.New("the item has no id")}
		}
		b.begin(rec)
		if c := get(clusterField); c != "" {
			b.attr("cluster", c)
		}
		r.attributes(bt, i)
		if err := r.answer(bt, i, get(metricField), get(statusField), get(errorField)); err != nil {
			return &rowError{i, err}
		}
	}
	return nil
}

func (r *records) attributes(bt *ingest.Batch, i int) {
	for k := range r.attrs {
		a := &r.attrs[k]
		if a.col.gone {
			continue
		}
		w := cell(bt, a.at, i)
		if a.numbers && w != "" && !whole(w) {
			a.col.drop()
			continue
		}
		r.b.attrs.set(a.col, w)
	}
}

// whole reports whether a number is spelt as a whole one.
func whole(s string) bool {
	s = strings.TrimPrefix(s, "-")
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// answer adds the scores of a record.
func (r *records) answer(bt *ingest.Batch, i int, metric, status, message string) error {
	state, known := statusWord(status)
	if !known {
		r.strange[status]++
	}
	if status == "" && isErrorText(message) {
		state = ingest.Errored
	}
	for k, c := range r.scores {
		s, err := c.score(bt, i)
		if err != nil {
			return err
		}
		if s.state == ingest.Unscored && state == ingest.Scored {
			r.missing++
		}
		if state != ingest.Scored {
			s = score{state: state}
		}
		name := c.metric
		if k == 0 && metric != "" {
			name = metric
		}
		r.b.add(name, s)
	}
	return nil
}

func (c scoreCells) score(bt *ingest.Batch, i int) (score, error) {
	if c.at < 0 {
		return unscored, nil
	}
	col := &bt.Cols[c.at]
	if c.words {
		s, ok := gradeWord(col.Str(i))
		if !ok {
			return s, fmt.Errorf("column %s holds %q: expected a number, true or false, correct or incorrect, C or I", c.column, clip(col.Str(i), 40))
		}
		return s, nil
	}
	switch col.StateAt(i) {
	case ingest.Missing:
		return unscored, nil
	case ingest.Malformed:
		return unscored, fmt.Errorf("column %s holds a word among its numbers: expected a number", c.column)
	}
	return points(col.Floats[i]), nil
}

// statusWord says what a status means for the score.
func statusWord(w string) (state ingest.AnswerState, known bool) {
	switch strings.ToLower(strings.TrimSpace(w)) {
	case "", "ok", "success", "succeeded", "completed", "complete", "done", "finished", "scored", "no_answer", "refusal", "limit", "pass", "passed", "fail", "failed":
		return ingest.Scored, true
	case "error", "errored", "timeout", "exception", "crashed", "cancelled", "canceled":
		return ingest.Errored, true
	case "unscored", "judge_error", "invalid", "skipped", "pending":
		return ingest.Unscored, true
	}
	return ingest.Scored, false
}

// isErrorText reports whether an error column tells of an error.
func isErrorText(w string) bool {
	switch strings.ToLower(strings.TrimSpace(w)) {
	case "", "null", "none", "nil", "nan", "false", "0", "no", "{}", "[]":
		return false
	}
	return true
}

// report tells what was strange.
func (r *records) report() {
	var words []string
	for w := range r.strange {
		words = append(words, w)
	}
	slices.Sort(words)
	if len(words) > 0 {
		n := 0
		for _, w := range words {
			n += r.strange[w]
		}
		r.b.note("%s had a status that says nothing here (%s): the score counts as it is", plural(n, "record"), list(words))
	}
	if r.missing > 0 {
		r.b.note("%s empty, null or no number: unscored", plural(r.missing, "score"))
	}
}

const metaPrefix = "qualdiff."

// meta reads what describes the run: metadata of the file, and a file beside it.
func (r *records) meta(ctx context.Context, f ingest.File, t *table) error {
	for _, kv := range t.src.Metadata() {
		if key, ok := strings.CutPrefix(kv.Key, metaPrefix); ok {
			r.describe(key, kv.Value)
		}
	}
	base := filepath.Base(f.Path)
	for _, name := range []string{base + ".meta.json", strings.TrimSuffix(base, filepath.Ext(base)) + ".meta.json"} {
		if !slices.Contains(r.b.opt.Siblings, name) {
			continue
		}
		kvs, err := readSibling(ctx, r.b.opt, name, readMeta)
		if err != nil {
			return fmt.Errorf("%s beside it: %w", name, err)
		}
		for _, kv := range kvs {
			r.describe(strings.TrimPrefix(kv.Key, metaPrefix), kv.Value)
		}
		break
	}
	return nil
}

func readMeta(ctx context.Context, f ingest.File) (kvs []ingest.KeyValue, err error) {
	err = eachRecord(ctx, f, func(v value) error {
		for k, m := range v.members() {
			kvs = append(kvs, ingest.KeyValue{Key: k, Value: m.text()})
		}
		return nil
	})
	return kvs, err
}

// describe takes one fact.
func (r *records) describe(key, val string) {
	switch key {
	case "model":
		r.model = val
	case "higher_is_better":
		r.direction([]byte(val))
	default:
		r.b.fact(key, val)
	}
}

// direction reads false, for all metrics, or an object of metrics.
func (r *records) direction(text []byte) {
	text = bytes.TrimSpace(text)
	if !isJSON(text) {
		return
	}
	v := value(text)
	if v.kind() == 'f' {
		for _, s := range r.scores {
			r.b.lower[s.metric] = true
		}
	}
	for metric, higher := range v.members() {
		if higher.kind() == 'f' {
			r.b.lower[metric] = true
		}
	}
}
