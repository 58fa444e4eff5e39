package evals

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// isLighteval detects the details files of lighteval by their columns, and
// those of the first Open LLM Leaderboard, which have the same.
func isLighteval(s *shape) bool {
	if s.in != columnar {
		return false
	}
	prefix := func(p string) bool {
		return slices.ContainsFunc(s.columns, func(c string) bool { return strings.HasPrefix(c, p) })
	}
	newer := prefix("doc.") && prefix("metric.") && prefix("model_response.")
	older := slices.Contains(s.columns, "example") && slices.Contains(s.columns, "full_prompt") &&
		(prefix("metrics.") || slices.Contains(s.columns, "metrics"))
	return newer || older
}

var detailsName = regexp.MustCompile(`details_(.+)_(` + dated + `)\.parquet$`)

// readLighteval reads the details that lighteval writes as Parquet, in the
// three layouts it has had: structures called doc, metric and model_response
// since 0.11; a column for each value from 0.8 on; and the same as text, spelt
// as Python does, before.
//
// Only the newest layout has an id for each item; it is unique within a split,
// so the text of the question is a part of the key. Items of older files are
// known by their text alone.
func readLighteval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (_ *ingest.AnswerSet, err error) {
	t, err := openTable(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = t.close(err) }()
	b := newBuilder(opt)
	task, model := lightevalNames(f.Path)
	if model != "" && !b.wants(model) {
		_, err := b.chosen()
		return nil, err
	}
	if model == "" {
		b.note("the details file does not name its model")
	}
	l := newLighteval(t, b, task)
	if err := t.scan(ctx, l.batch); err != nil {
		return nil, err
	}
	return b.finish()
}

// lightevalNames takes the task and the model from the path
// details/{model}/{time}/details_{task}_{time}.parquet.
func lightevalNames(path string) (task, model string) {
	m := detailsName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return "", ""
	}
	parts := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	if i := slices.Index(parts, "details"); i >= 0 && i+2 <= len(parts) {
		model = strings.Join(parts[i+1:max(i+1, len(parts)-1)], "/")
	}
	return m[1], model
}

// lighteval knows which column is what.
type lighteval struct {
	b       *builder
	task    string
	newer   bool
	id      int // columns of a batch, −1 where there is none
	text    int
	choices int
	taskOf  int
	gold    int
	goldIs  ingest.Form
	spelt   int // the metrics as Python spells a dict
	extra   int // the specifics, spelt so too
	metrics []namedColumn
	attrs   []namedColumn
	seen    occurrences
}

type namedColumn struct {
	name string
	at   int
}

func newLighteval(t *table, b *builder, task string) *lighteval {
	l := &lighteval{b: b, task: task, seen: occurrences{}, id: -1, choices: -1, taskOf: -1, spelt: -1, extra: -1}
	gold, metrics, specifics := "gold_index", "metrics.", "specifics."
	if l.newer = t.find("doc.query") >= 0; l.newer {
		l.id = t.ask(t.find("doc.id"), ingest.Text)
		l.text = t.ask(t.find("doc.query"), ingest.Text)
		l.taskOf = t.ask(t.find("doc.task_name"), ingest.Text)
		gold, metrics, specifics = "doc.gold_index", "metric.", "doc.specific."
	} else {
		l.text = t.ask(t.find("example"), ingest.Text)
		l.choices = t.ask(t.find("choices"), ingest.Text)
		l.spelt = t.ask(t.find("metrics"), ingest.Text)
		l.extra = t.ask(t.find("specifics"), ingest.Text)
	}
	l.gold, l.goldIs = t.ask(t.find(gold), ingest.NumberList), ingest.NumberList
	if l.gold < 0 {
		l.gold, l.goldIs = t.ask(t.find(gold), ingest.Text), ingest.Text
	}
	for i, c := range t.cols {
		if name, ok := strings.CutPrefix(c.Name, metrics); ok {
			switch c.Class {
			case ingest.NumericClass, ingest.BoolClass:
				l.metrics = append(l.metrics, namedColumn{name, t.ask(i, ingest.Number)})
			case ingest.NullClass:
			default:
				b.note("metric %s holds %s and no number for each item: it is left out", name, c.Type)
			}
		}
		if name, ok := strings.CutPrefix(c.Name, specifics); ok && c.Class != ingest.NullClass {
			if at := t.ask(i, ingest.Text); at >= 0 {
				l.attrs = append(l.attrs, namedColumn{name, at})
			}
		}
	}
	return l
}

func (l *lighteval) batch(bt *ingest.Batch) error {
	for i := range bt.N {
		l.record(bt, i)
		some := false
		for _, m := range l.metrics {
			c := &bt.Cols[m.at]
			if c.StateAt(i) == ingest.Present { // null: a metric of the other sampling method
				some = true
				l.b.add(m.name, points(c.Floats[i]))
			}
		}
		if l.spelt >= 0 {
			o, err := pythonDict(cell(bt, l.spelt, i))
			if err != nil {
				return &rowError{i, err}
			}
			some = l.dict(o) || some
		}
		if !some {
			l.b.none(ingest.Unscored)
		}
	}
	return nil
}

// dict adds the metrics of a dict.
func (l *lighteval) dict(o object) (some bool) {
	for _, m := range o {
		if m.val.null() {
			continue
		}
		s, ok := grade(m.val)
		if !ok {
			l.b.note("metric %s holds no number for each item: it is left out", m.key)
			continue
		}
		some = true
		l.b.add(m.key, s)
	}
	return some
}

func (l *lighteval) record(bt *ingest.Batch, i int) {
	text := cell(bt, l.text, i)
	r := record{task: l.task, question: fingerprint(text), text: clip(text, maxText)}
	if t := cell(bt, l.taskOf, i); t != "" {
		r.task = t
	}
	if l.newer {
		r.item = cell(bt, l.id, i) + "-" + textID(text)[:8]
	} else {
		r.item = l.seen.item(textID(text, cell(bt, l.choices, i)))
	}
	if l.gold >= 0 {
		r.gold = fingerprint(l.goldText(bt, i))
	}
	l.b.begin(r)
	for _, a := range l.attrs {
		l.b.attr(a.name, cell(bt, a.at, i))
	}
	if l.extra >= 0 {
		if o, err := pythonDict(cell(bt, l.extra, i)); err == nil {
			for _, m := range o {
				if k := m.val.kind(); k == '"' || k == 't' || k == 'f' {
					l.b.attr(m.key, m.val.text())
				}
			}
		}
	}
}

// goldText spells the index of the right choice, or the list of them.
func (l *lighteval) goldText(bt *ingest.Batch, i int) string {
	if l.goldIs == ingest.Text {
		return strings.Trim(cell(bt, l.gold, i), "[] ")
	}
	var parts []string
	for _, g := range bt.Cols[l.gold].List(i) {
		parts = append(parts, strconv.FormatFloat(g, 'g', -1, 64))
	}
	return strings.Join(parts, ", ")
}

func aggregateLighteval(s *shape) string {
	if s.in == jsonObject && s.has("config_general", "results") {
		return "it holds the results of lighteval over whole tasks; run lighteval with --save-details and give the details_*.parquet files, or their folder"
	}
	return ""
}
