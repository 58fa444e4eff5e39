package evals

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// reader is a format before it is wrapped: it asks the shape of a file, which
// is found out once.
type reader struct {
	name  string
	match func(s *shape) bool
	read  func(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error)
	// aggregate says why a file of the harness holds no answers, and which
	// command writes them; "" if it does hold them, or is of another harness.
	aggregate func(s *shape) string
}

// readers lists the formats in the order they are asked: those with a clear
// mark first, plain records last.
func readers() []reader {
	return []reader{
		{"inspect", isInspect, readInspect, nil},
		{"lm-eval", isLMEval, readLMEval, aggregateLMEval},
		{"lighteval", isLighteval, readLighteval, aggregateLighteval},
		{"every-eval-ever", isEveryEval, readEveryEval, aggregateEveryEval},
		{"helm", isHELM, readHELM, aggregateHELM},
		{"evalplus", isEvalPlus, readEvalPlus, nil},
		{"bigcodebench", isBigCodeBench, readBigCodeBench, aggregateBigCodeBench},
		{"humaneval", isHumanEval, readHumanEval, nil},
		{"swe-bench", isSWEBench, readSWEBench, aggregateSWEBench},
		{"promptfoo", isPromptfoo, readPromptfoo, nil},
		{"deepeval", isDeepEval, readDeepEval, nil},
		{"openai-evals", isOpenAIEvals, readOpenAIEvals, nil},
		{"openai-evals-api", isEvalsAPI, readEvalsAPI, nil},
		{"mt-bench", isMTBench, readMTBench, aggregateMTBench},
		{"arena-hard", isArenaHard, readArenaHard, nil},
		{"livebench", isLiveBench, readLiveBench, nil},
		{"alpaca-eval", isAlpacaEval, readAlpacaEval, nil},
		{"evalscope", isEvalscope, readEvalscope, aggregateEvalscope},
		{"nemo-evaluator", isNeMo, readNeMo, aggregateNeMo},
		{"opencompass", isOpenCompass, readOpenCompass, aggregateOpenCompass},
		{"mmlu-pro", isMMLUPro, readMMLUPro, nil},
		{"records", isRecords, readRecords, aggregateOther},
	}
}

// Formats lists the readers of evaluation output in the order to ask them. Each
// recognises its files by their content. The last, "records", takes any file of
// records with a column for the item and one for the score.
var Formats = formats()

func formats() []ingest.AnswerFormat {
	var out []ingest.AnswerFormat
	for _, r := range readers() {
		f := ingest.AnswerFormat{
			Name:   r.name,
			Detect: func(head []byte, file ingest.File) bool { return r.match(look(head, file)) },
			Read:   r.read,
		}
		if r.aggregate != nil {
			f.Aggregate = func(head []byte, file ingest.File) (string, bool) {
				hint := r.aggregate(look(head, file))
				return hint, hint != ""
			}
		}
		out = append(out, f)
	}
	return out
}
