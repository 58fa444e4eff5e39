package evals

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// isInspect detects a log of Inspect: a .json document, or a .eval archive.
func isInspect(s *shape) bool {
	if s.in == zipFile {
		return true // the reader says what is missing in any other archive
	}
	return s.in == jsonObject && s.has("version", "eval") && s.has("eval.task") && s.any("status", "plan", "samples")
}

// readInspect reads a log of Inspect. The key of an answer is the sample's id
// and epoch; of samples that are in a log twice the last counts, as in Inspect.
// A sample with an error has no scores and counts as failed.
func readInspect(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	e := &inspect{b: b, last: map[[2]string]int{}}
	var err error
	if isZip(f) {
		err = e.archive(ctx, f)
	} else {
		err = e.document(ctx, f)
	}
	if errors.Is(err, errOtherModel) {
		_, err = b.chosen()
	}
	if err != nil {
		return nil, err
	}
	e.keepLast()
	return b.finish()
}

var errOtherModel = errors.New("another model")

// inspect reads one log.
type inspect struct {
	b       *builder
	task    string
	status  string
	samples int
	last    map[[2]string]int // the record of a sample, by id and epoch
	again   int               // samples that replaced an earlier one
	words   map[string]*inspectWords
}

// inspectWords tells how often a scorer gave a word that is no score.
type inspectWords struct {
	example      string
	words, total int
}

// document reads a log that is one JSON document: first what it says of the
// run, then the samples.
func (e *inspect) document(ctx context.Context, f ingest.File) error {
	found := false
	s := fileStream(ctx, f)
	err := s.object(func(key string) error {
		switch key {
		case "status":
			v, err := s.raw()
			e.status = v.text()
			return err
		case "eval", "plan":
			v, err := s.raw()
			if err != nil {
				return err
			}
			if key == "eval" {
				found = true
				return e.spec(v)
			}
			e.plan(v)
			return nil
		}
		return s.skip()
	})
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return err
	}
	if !found {
		return errors.New("the log has no eval, which says what was run")
	}
	s = fileStream(ctx, f)
	return s.object(func(key string) error {
		if key != "samples" {
			return s.skip()
		}
		return s.only('[', func() error {
			return s.array(func() error { return e.streamSample(s) })
		})
	})
}

// spec reads what was run.
func (e *inspect) spec(v value) error {
	b := e.b
	e.task = v.at("task").text()
	if !b.wants(v.at("model").text()) {
		return errOtherModel
	}
	for _, key := range []string{"model_base_url", "model_args", "model_generate_config", "model_roles", "task_args", "created", "task_version"} {
		if t := v.at(key).text(); t != "{}" {
			b.fact(key, t)
		}
	}
	for _, key := range []string{"name", "location", "samples", "shuffled"} {
		b.fact("dataset."+key, v.at("dataset", key).text())
	}
	b.fact("commit", v.at("revision", "commit").text())
	b.fact("inspect_ai", v.at("packages", "inspect_ai").text())
	for _, key := range []string{"limit", "epochs", "epochs_reducer", "message_limit", "token_limit", "time_limit"} {
		b.fact("config."+key, v.at("config", key).text())
	}
	return nil
}

func (e *inspect) plan(v value) {
	var steps []string
	for s := range v.at("steps").elements() {
		steps = append(steps, s.at("solver").text()+s.at("params").text())
	}
	e.b.fact("solver", strings.Join(steps, " "))
	if c := v.at("config").text(); c != "{}" {
		e.b.fact("plan.config", c)
	}
}

// sampleKeys are the members of a sample that are read; a transcript, which may
// be very long, is not.
var sampleKeys = []string{"id", "epoch", "input", "target", "metadata", "scores", "score", "error", "limit", "choices"}

// streamSample reads one sample without holding its transcript.
func (e *inspect) streamSample(s *stream) error {
	kept := map[string]value{}
	err := s.object(func(key string) error {
		if !slices.Contains(sampleKeys, key) {
			return s.skip()
		}
		v, err := s.raw()
		if err != nil {
			return err
		}
		kept[key] = slices.Clone(v)
		return nil
	})
	if err != nil {
		return err
	}
	return e.sample(kept)
}

func (e *inspect) sample(o map[string]value) error {
	if o["id"].null() {
		return errors.New("a sample without id")
	}
	id, epoch := o["id"].text(), o["epoch"].text()
	if _, again := e.last[[2]string{id, epoch}]; again {
		e.again++
	}
	e.last[[2]string{id, epoch}] = e.b.attrs.records
	e.samples++
	e.b.begin(record{
		task: e.task, item: id, repeat: epoch,
		gold: fingerprint(o["target"].text()), question: fingerprint(o["input"].text(), o["choices"].text()),
		text: e.b.keepText(o["input"]),
	})
	e.b.attrOf("", o["metadata"])
	if !o["limit"].null() {
		e.b.count("sample", "ended at a limit of messages, tokens or time: scored as it stood")
	}
	scores := o["scores"]
	if old := o["score"]; scores.null() && !old.null() {
		e.score("score", old) // version 1 has one, without a name
		return nil
	}
	if !o["error"].null() && noMembers(scores) {
		e.b.none(ingest.Errored)
		return nil
	}
	if noMembers(scores) {
		e.b.none(ingest.Unscored)
		return nil
	}
	for name, s := range scores.members() {
		e.score(name, s)
	}
	return nil
}

func noMembers(v value) bool {
	for range v.rawMembers() {
		return false
	}
	return true
}

// score adds the value of one scorer; one that gives several values is several
// metrics.
func (e *inspect) score(scorer string, s value) {
	v := s
	if s.kind() == '{' {
		v = s.at("value")
	}
	switch v.kind() {
	case '{':
		for key, inner := range v.members() {
			e.grade(scorer+"."+key, inner)
		}
	case '[':
		e.b.note("scorer %s gives a list for each sample, which is no single score, and is left out", scorer)
	default:
		e.grade(scorer, v)
	}
}

func (e *inspect) grade(metric string, v value) {
	if e.words == nil {
		e.words = map[string]*inspectWords{}
	}
	w := e.words[metric]
	if w == nil {
		w = &inspectWords{}
		e.words[metric] = w
	}
	w.total++
	s, ok := grade(v)
	if !ok {
		w.words++
		if w.example == "" {
			w.example = clip(v.text(), 40)
		}
	}
	if v.str() == "N" {
		e.b.count("answer", "marked N, no answer: wrong, as in Inspect")
	}
	e.b.add(metric, s)
}

// keepLast drops samples that a later one replaced, and metrics of words alone.
func (e *inspect) keepLast() {
	b := e.b
	var names []string
	for name := range e.words {
		names = append(names, name)
	}
	slices.Sort(names)
	gone := map[int32]bool{}
	for _, name := range names {
		switch w := e.words[name]; {
		case w.words == w.total:
			gone[b.words.id(name)] = true
			b.note("scorer %s gives words, such as %q, and no scores: it is left out", name, w.example)
		case w.words > 0:
			b.note("%d of %d values of scorer %s are words that are no score, such as %q: unscored (Inspect counts them as 0)", w.words, w.total, name, w.example)
		}
	}
	if e.again > 0 {
		b.note("%s in the log again with the same id and epoch: the last counts", plural(e.again, "sample"))
	}
	if len(gone) > 0 || e.again > 0 {
		keep := make(map[int32]bool, len(e.last))
		for _, rec := range e.last {
			keep[int32(rec)] = true
		}
		b.filter(func(r *row) bool { return keep[r.rec] && !gone[r.metric] })
	}
	if e.status != "" && e.status != "success" {
		b.note("the log has the status %q: samples may be missing", e.status)
	}
	if e.samples == 0 {
		b.note("the log holds no samples: it was written with log_samples=False, or only its header was kept; run inspect eval with --log-samples")
	}
	b.fact("status", e.status)
}

// filter drops answers.
func (b *builder) filter(keep func(r *row) bool) {
	drop := func(r row) bool { return !keep(&r) }
	b.n = 0
	for i := range b.chunks {
		b.chunks[i] = slices.DeleteFunc(b.chunks[i], drop)
		b.n += len(b.chunks[i])
	}
	b.bare = slices.DeleteFunc(b.bare, func(r row) bool { r.metric = -1; return drop(r) })
}
