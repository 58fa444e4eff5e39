package evals

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// fieldName is a canonical field of an answer, as --column takes it.
type fieldName string

// The fields, with the names of columns that are taken for them. The first that
// is there counts.
const (
	itemField     fieldName = "item"
	taskField     fieldName = "task"
	metricField   fieldName = "metric"
	scoreField    fieldName = "score"
	filterField   fieldName = "filter"
	turnField     fieldName = "turn"
	repeatField   fieldName = "repeat"
	clusterField  fieldName = "cluster"
	statusField   fieldName = "status"
	errorField    fieldName = "error"
	goldField     fieldName = "gold"
	questionField fieldName = "question"
	modelField    fieldName = "model"
)

// fieldAliases lists the fields in the order they choose their columns.
func fieldAliases() []struct {
	field   fieldName
	aliases []string
} {
	return []struct {
		field   fieldName
		aliases []string
	}{
		{itemField, []string{"item_id", "item", "question_id", "example_id", "sample_id", "instance_id", "problem_id", "problem_idx", "doc_id", "prompt_id", "dataset_record_id", "origin.id", "qid", "uid", "id", "task_id"}},
		{taskField, []string{"task", "task_name", "benchmark", "eval_name", "dataset"}},
		{metricField, []string{"metric", "metric_name"}},
		{scoreField, []string{"score"}},
		{filterField, []string{"filter"}},
		{turnField, []string{"turn", "turn_idx"}},
		{repeatField, []string{"repeat", "repeat_idx", "repeat_index", "epoch", "trial", "trial_index", "generation_index", "replicate"}},
		{clusterField, []string{"cluster", "cluster_id"}},
		{statusField, []string{"status", "state"}},
		{errorField, []string{"error", "error_message", "exception"}},
		{goldField, []string{"gold_hash", "gold", "target", "reference", "reference_answer", "expected", "expected_answer", "ground_truth", "answer_key"}},
		{questionField, []string{"item_hash", "question_hash", "doc_hash", "question", "user_input", "instruction", "input", "prompt"}},
		{modelField, []string{"model", "model_name", "model_id"}},
	}
}

// knownScores are columns that hold a score of their own name, where there is no
// column called score.
var knownScores = []string{
	"acc", "acc_norm", "accuracy", "correct", "is_correct", "correctness", "pass", "passed", "pass@1", "success", "resolved",
	"exact_match", "quasi_exact_match", "em", "f1", "f1_score", "bleu", "rouge", "rouge1", "rouge2", "rougel", "rouge_l", "chrf", "mcc", "ter", "wer",
	"reward", "grade", "rating", "win", "preference", "value",
	"faithfulness", "answer_relevancy", "answer_correctness", "answer_similarity", "context_precision", "context_recall", "context_entity_recall",
	"factual_correctness", "semantic_similarity", "helpfulness", "relevance", "coherence", "groundedness", "toxicity", "hallucination",
}

// scorePrefixes and scoreSuffixes mark columns that hold a score of the rest of
// their name.
var (
	scorePrefixes = []string{"scores.", "score.", "feedback.", "metrics.", "metric.", "evaluation.", "score_"}
	scoreSuffixes = []string{"_score", "_accuracy", "_correct", "_match", "_em", "_f1", "_acc"}
)

// plan says which column is which field, by index; −1 for none.
type plan struct {
	field  map[fieldName]int
	scores []scoreColumn
	attrs  []int
}

type scoreColumn struct {
	metric string
	column int
}

// planColumns finds the columns of a file of records.
func planColumns(cols []ingest.ColumnInfo, opt ingest.AnswerOptions) (*plan, error) {
	p := &plan{field: map[fieldName]int{}}
	taken := make([]bool, len(cols))
	if err := p.byHand(cols, opt, taken); err != nil {
		return nil, err
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = ingest.NormalName(c.Name)
	}
	for _, f := range fieldAliases() {
		if _, done := p.field[f.field]; done {
			continue
		}
		p.field[f.field] = -1
		for _, alias := range f.aliases {
			i := slices.Index(names, alias)
			if i < 0 || taken[i] || !single(cols[i]) {
				continue
			}
			if f.field == goldField && cols[i].Class == ingest.BoolClass {
				continue
			}
			p.field[f.field], taken[i] = i, true
			break
		}
	}
	if err := p.findScores(cols, names, opt, taken); err != nil {
		return nil, err
	}
	if p.field[itemField] < 0 && p.field[questionField] < 0 {
		return nil, fmt.Errorf("%w: no column names the item (item_id, id, question_id, …): choose one with --column item=COLUMN; columns are %s", ErrNoAnswers, columnList(cols))
	}
	for i, c := range cols {
		if !taken[i] && attributable(c) {
			p.attrs = append(p.attrs, i)
		}
	}
	return p, nil
}

// byHand takes the columns that --column names.
func (p *plan) byHand(cols []ingest.ColumnInfo, opt ingest.AnswerOptions, taken []bool) error {
	var names []string
	for _, f := range fieldAliases() {
		names = append(names, string(f.field))
		col, ok := opt.Columns[string(f.field)]
		if !ok {
			continue
		}
		i := slices.IndexFunc(cols, func(c ingest.ColumnInfo) bool { return c.Name == col })
		if i < 0 {
			return fmt.Errorf("there is no column %q for field %s; columns are %s", col, f.field, columnList(cols))
		}
		if !single(cols[i]) {
			return fmt.Errorf("column %q holds %s, which cannot be field %s", col, cols[i].Type, f.field)
		}
		p.field[f.field], taken[i] = i, true
	}
	var unknown []string
	for f := range opt.Columns {
		if !slices.Contains(names, f) {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("there is no field %q of an answer; fields are %s", unknown[0], strings.Join(names, ", "))
	}
	return nil
}

// findScores finds the columns with scores: those asked for, else the one called
// score, else all that are known to be scores by their names.
func (p *plan) findScores(cols []ingest.ColumnInfo, names []string, opt ingest.AnswerOptions, taken []bool) error {
	add := func(metric string, i int) {
		p.scores = append(p.scores, scoreColumn{metric, i})
		taken[i] = true
	}
	for _, want := range opt.Scores {
		i := slices.IndexFunc(cols, func(c ingest.ColumnInfo) bool { return c.Name == want })
		if i < 0 {
			return fmt.Errorf("there is no column %q with a score; columns are %s", want, columnList(cols))
		}
		if !single(cols[i]) {
			return fmt.Errorf("column %q holds %s, which is no score", want, cols[i].Type)
		}
		if !slices.ContainsFunc(p.scores, func(s scoreColumn) bool { return s.column == i }) && p.field[scoreField] != i {
			add(want, i)
		}
	}
	if i := p.field[scoreField]; i >= 0 {
		metric := "score"
		if col, ok := opt.Columns[string(scoreField)]; ok {
			metric = col
		}
		p.scores = append([]scoreColumn{{metric, i}}, p.scores...)
		return nil
	}
	if len(p.scores) > 0 {
		return nil
	}
	if p.field[metricField] >= 0 {
		if i := slices.Index(names, "value"); i >= 0 && !taken[i] {
			add("score", i)
			return nil
		}
	}
	for i, c := range cols {
		if taken[i] || c.Class != ingest.NumericClass && c.Class != ingest.BoolClass && c.Class != ingest.NullClass {
			continue
		}
		if metric, ok := scoreName(names[i], c.Name); ok && (c.Class != ingest.NullClass || metric != c.Name) {
			add(metric, i)
		}
	}
	if len(p.scores) == 0 {
		return fmt.Errorf("%w: no column holds a score: choose one with --column score=COLUMN; columns are %s", ErrNoAnswers, columnList(cols))
	}
	return nil
}

// scoreName returns the metric of a column that is a score by its name.
func scoreName(normal, stored string) (metric string, ok bool) {
	for _, p := range scorePrefixes {
		if strings.HasPrefix(normal, p) && len(normal) > len(p) {
			if strings.HasSuffix(p, ".") {
				return stored[strings.IndexByte(stored, '.')+1:], true
			}
			return stored, true
		}
	}
	for _, s := range scoreSuffixes {
		if strings.HasSuffix(normal, s) {
			return stored, true
		}
	}
	return stored, slices.Contains(knownScores, normal)
}

// single reports whether a column has one value for each record.
func single(c ingest.ColumnInfo) bool {
	return c.Class != ingest.ListClass && c.Class != ingest.OtherClass
}

// attributable reports whether a column may be what answers are grouped by.
func attributable(c ingest.ColumnInfo) bool {
	switch c.Class {
	case ingest.TextClass:
		return c.Type != "object"
	case ingest.BoolClass, ingest.NumericClass:
		return true
	}
	return false
}

func columnList(cols []ingest.ColumnInfo) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = ingest.ClipName(c.Name)
	}
	return list(names)
}
