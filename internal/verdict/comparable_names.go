package verdict

import (
	"maps"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// tokenSourceName is what files call who counted the tokens of their answers.
const tokenSourceName = "token_source"

// tokenSource compares where the tokens of answers are counted: a client that
// counts chunks, or has a tokenizer of its own, does not count what the server
// does. Where files say so, a judged metric made of tokens is not the same on both
// sides.
func tokenSource(cmp *compare.Comparison, gates []Gate) (Check, bool) {
	a, b := cmp.TokenColumns[0], cmp.TokenColumns[1]
	if a == "" || b == "" {
		return Check{}, false
	}
	c := Check{Code: TokenSource, BaselineText: a, CandidateText: b}
	if a != b {
		c.Status = CheckWarn
	}
	who := [2]string{cmp.Fingerprint[0][tokenSourceName], cmp.Fingerprint[1][tokenSourceName]}
	if who[0] == "" || who[1] == "" {
		return c, true
	}
	c.Rule = "counted"
	c.BaselineText, c.CandidateText = who[0], who[1]
	if who[0] != who[1] {
		c.Status = CheckWarn
		if slices.ContainsFunc(gates, func(g Gate) bool { return g.Judged && g.Result.Metric.OfTokens() }) {
			c.Status = CheckFail
		}
	}
	return c, true
}

// sameNames compares what the policy wants to be the same on both sides.
func sameNames(cmp *compare.Comparison, p Policy) (out []Check) {
	for _, name := range p.Same {
		a, b := cmp.Fingerprint[0][name], cmp.Fingerprint[1][name]
		c := Check{Code: FingerprintCheck, Name: name, BaselineText: a, CandidateText: b}
		if a != b || a == "" {
			c.Status = CheckFail
		}
		out = append(out, c)
	}
	return out
}

// otherNames remarks on what differs of what served the sides and may differ.
func otherNames(cmp *compare.Comparison, p Policy) (out []Check) {
	for _, name := range slices.Sorted(maps.Keys(cmp.Fingerprint[0])) {
		a, b := cmp.Fingerprint[0][name], cmp.Fingerprint[1][name]
		if a != "" && b != "" && a != b && name != tokenSourceName && !slices.Contains(p.Same, name) {
			out = append(out, Check{Code: FingerprintCheck, Status: CheckWarn, Name: name, BaselineText: a, CandidateText: b})
		}
	}
	if c, ok := oneModel(cmp, p); ok {
		out = append(out, c)
	}
	return out
}

// oneModel remarks that one side alone names its model: whether the other served
// the same one is then not known.
func oneModel(cmp *compare.Comparison, p Policy) (Check, bool) {
	var names [2]string
	for i, print := range cmp.Fingerprint {
		if cmp.Sides[i].OK()+cmp.Sides[i].Failed() == 0 {
			return Check{}, false
		}
		var all []string
		for _, column := range metric.ModelColumns {
			if slices.Contains(p.Same, column) {
				return Check{}, false
			}
			if print[column] != "" && !slices.Contains(all, print[column]) {
				all = append(all, print[column])
			}
		}
		names[i] = strings.Join(all, ", ")
	}
	c := Check{Code: Models, Status: CheckWarn, BaselineText: names[0], CandidateText: names[1], Rule: "one side"}
	return c, (names[0] == "") != (names[1] == "")
}
