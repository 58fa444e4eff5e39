package ingest

import "context"

// AnswerState says whether an answer has a score.
type AnswerState uint8

// The states of an answer.
const (
	Scored   AnswerState = iota
	Unscored             // the harness gave no score: NaN, null, "unscored"
	Errored              // the item failed: an exception, a refusal of the service, a timeout
)

// Answer is one scored answer to one item of an evaluation. Identifiers are
// text as stored: 007 is not 7. A reader never decides about duplicates, missing
// or errored items; it only says what it found.
type Answer struct {
	Task, Item, Metric, Filter, Turn string
	Repeat                           string // "" where the item was asked once
	State                            AnswerState
	Score                            float64 // of a Scored answer; booleans are 0 and 1
	// GoldHash and QuestionHash identify the expected answer and the question
	// where the file tells; 0 where it does not.
	GoldHash, QuestionHash uint64
	// Attr holds a value for each of AnswerSet.AttrNames, "" where absent:
	// what slices and clusters are made of.
	Attr []string
	// Text is the question or the answer in short, for people; it is filled
	// only where AnswerOptions.KeepText is set.
	Text string
}

// AnswerSet is one model's answers as a file or folder holds them.
type AnswerSet struct {
	Model       string // as the file names it, "" if it does not
	AttrNames   []string
	Answers     []Answer
	Fingerprint []KeyValue // model, revision, harness version, seeds, prompts: sorted by key
	// LowerIsBetter lists metrics for which the harness says so.
	LowerIsBetter []string
	// Universe lists the items that should be there, task and item, where the
	// harness names them (SWE-bench reports); nil otherwise.
	Universe [][2]string
	Notes    []string // what a user must know of how it was read
}

// AnswerOptions say how answers are read.
type AnswerOptions struct {
	KeepText bool
	// Columns maps canonical fields of an answer (item, task, filter, turn,
	// repeat, cluster, score, status, gold, model) to columns by hand.
	Columns map[string]string
	// Scores names further score columns of a canonical file; each is a metric.
	Scores []string
	// Model chooses one model of a file that holds several; "" is an error that
	// lists them if there are several.
	Model string
	// Sibling opens another file of the same folder, such as the results file
	// beside a samples file.
	Sibling func(name string) (File, func() error, error)
	// Siblings lists the names of the files of the same folder, sorted.
	Siblings []string
}

// AnswerFormat is a format of evaluation output that can be recognised by its
// content.
type AnswerFormat struct {
	Name   string
	Detect func(head []byte, f File) bool
	// Read returns the answers of one file. Several files of one model are
	// joined by the caller.
	Read func(ctx context.Context, f File, opt AnswerOptions) (*AnswerSet, error)
	// Aggregate, if not nil, says why a recognised file holds only aggregates
	// and which command of the harness writes the answers.
	Aggregate func(head []byte, f File) (hint string, ok bool)
}
