package evals

import (
	"context"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isMTBench(s *shape) bool {
	return s.records() && s.has("question_id", "model", "judge", "score", "turn")
}

// readMTBench reads single-answer judgments of MT-Bench, from 1 to 10. The file
// holds many models, and judgments are appended: of those of the same question,
// turn and judge the latest counts. The judge is the filter, since scores of
// two judges are no more comparable than those of two benchmarks. The two turns
// of a question depend on each other: attribute question_id is their cluster.
func readMTBench(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.force("question_id")
	type key struct{ question, turn, judge string }
	type judgment struct {
		rec  int32
		time float64
	}
	latest := map[key]judgment{}
	again := 0
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		if !b.wants(o.get("model").text()) {
			return nil
		}
		k := key{o.get("question_id").text(), o.get("turn").text(), judgeName(o.get("judge"))}
		if k.question == "" {
			return fmt.Errorf("a judgment without question_id")
		}
		s, err := judged(o.get("score"))
		if err != nil {
			return fmt.Errorf("question %s: %w", k.question, err)
		}
		time, _ := o.get("tstamp").number()
		b.begin(record{task: "mt_bench", item: k.question, turn: k.turn, filter: k.judge, text: b.keepText(o.get("user_prompt"))})
		b.attr("question_id", k.question)
		b.attr("category", o.get("category").text())
		b.add("score", s)
		old, seen := latest[k]
		if seen {
			again++
		}
		if !seen || time >= old.time {
			latest[k] = judgment{int32(b.attrs.records - 1), time}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if again > 0 {
		keep := map[int32]bool{}
		for _, j := range latest {
			keep[j.rec] = true
		}
		b.filter(func(r *row) bool { return keep[r.rec] })
		b.note("%s judged again: the latest judgment counts", plural(again, "answer"))
	}
	none := 0
	b.eachRow(func(r *row) {
		if r.state == ingest.Unscored {
			none++
		}
	})
	if none > 0 {
		b.note("%s failed (score -1): unscored", plural(none, "judgment"))
	}
	return b.finish()
}

// judgeName returns the judge's model of ["gpt-4", "single-v1"] or of a name.
func judgeName(v value) string {
	for e := range v.elements() {
		return e.text()
	}
	return v.text()
}

func aggregateMTBench(s *shape) string {
	if s.records() && s.has("question_id", "model_1", "model_2") && s.any("g1_winner", "winner") {
		return "it holds pairwise judgments of MT-Bench, which compare two models and score neither; run gen_judgment.py --mode single and give the *_single.jsonl"
	}
	return ""
}

func isArenaHard(s *shape) bool {
	return s.records() && s.has("model", "judge", "games") && s.any("uid", "question_id")
}

// arenaShare is what the verdict of a game is worth to B.
var arenaShare = map[string]float64{"A>>B": 0, "A>B": 0, "A=B": 0.5, "B=A": 0.5, "B>A": 1, "B>>A": 1}

// readArenaHard reads judgments of Arena-Hard: each question is judged twice,
// the baseline being A in the first game and B in the second. The score is the
// share of games won, a draw being half; it is a preference over the baseline
// of the benchmark, so both sides need the same baseline and judge.
func readArenaHard(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	var baselines []string
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("uid").text()
		if id == "" {
			id = o.get("question_id").text()
		}
		if id == "" {
			return fmt.Errorf("a judgment without uid")
		}
		if !b.wants(o.get("model").text()) {
			return nil
		}
		if base := o.get("baseline").text(); base != "" && !slices.Contains(baselines, base) {
			baselines = append(baselines, base)
		}
		b.begin(record{task: "arena_hard", item: id, filter: judgeName(o.get("judge")), text: id})
		b.attr("category", o.get("category").text())
		won, n, games := 0.0, 0, 0
		for g := range o.get("games").elements() {
			share, ok := arenaShare[g.at("score").str()]
			if games++; !ok {
				continue // the judge gave no verdict
			}
			if games%2 == 0 { // sides are swapped
				share = 1 - share
			}
			won += share
			n++
		}
		if n == 0 {
			b.count("question", "had no verdict: unscored")
			b.add("win_share", unscored)
			return nil
		}
		if n < games {
			b.count("question", "had a game without a verdict: the other counts alone")
		}
		b.add("win_share", score{value: won / float64(n)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(baselines)
	b.fact("compared_with", list(baselines))
	return b.finish()
}
