package pairing_test

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/pairing"
)

// Partners are found by identifier; what has none is counted and kept.
func ExamplePair() {
	answer := func(item string, score float64) ingest.Answer {
		return ingest.Answer{Item: item, Metric: "acc", Score: score}
	}
	x := &ingest.AnswerSet{Answers: []ingest.Answer{answer("q1", 1), answer("q2", 0), answer("q3", 1)}}
	y := &ingest.AnswerSet{Answers: []ingest.Answer{answer("q2", 1), answer("q1", 1)}}
	p, err := pairing.Pair(context.Background(), []*ingest.AnswerSet{x}, []*ingest.AnswerSet{y}, pairing.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, it := range p.Series[0].Items {
		fmt.Println(it.ID, it.X.State(), it.Y.State(), it.Both())
	}
	fmt.Println("only on the first side:", p.Series[0].Counts.Only[0])
	// Output:
	// q1 scored scored true
	// q2 scored scored true
	// q3 scored absent false
	// only on the first side: 1
}
