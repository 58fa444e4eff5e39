package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// comparableText tells one check of like work in sentences.
func comparableText(c *verdict.Check) string {
	text := comparedText(c)
	if len(c.SplitBy) > 0 {
		text += " To compare like for like by it: --mix " + strings.Join(c.SplitBy, " --mix ") + "."
	}
	return text
}

// promptsDiffer begins the text of a check that the note on the mix does not say.
const promptsDiffer = "Prompts differ in length"

func comparedText(c *verdict.Check) string {
	a, b := digits(c.Baseline, 3), digits(c.Candidate, 3)
	tail := ""
	if c.Status == verdict.CheckFail {
		tail = fmt.Sprintf(" A difference of %s is tolerated.", percentOf(c.Limit))
	}
	switch c.Code {
	case verdict.SameData:
		return "Both sides are the same data: nothing can differ."
	case verdict.CopiedRuns:
		return copiedText(c)
	case verdict.FailedShare:
		return failuresText(c, tail)
	case verdict.Lacking:
		return lackingText(c)
	case verdict.TokenSource:
		if c.Rule == "counted" {
			return countedText(c)
		}
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Answer tokens of both sides: %s.", c.BaselineText)
		}
		return fmt.Sprintf("Answer tokens are read from %s on one side and from %s on the other: make sure that both count alike.", c.BaselineText, c.CandidateText)
	case verdict.LateSends:
		if c.Name != "" {
			share := c.Baseline
			if c.Name == "candidate" {
				share = c.Candidate
			}
			return fmt.Sprintf("Only the %s records when requests were scheduled: its latencies count from there, those of the other side from the actual start. The wait is %s of its latency. Leave it out on both sides with --from service, or record it on both.", c.Name, share1(share))
		}
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Requests were sent on time: late by %s and %s of the latency.", share1(c.Baseline), share1(c.Candidate))
		}
		return fmt.Sprintf("Requests were sent later than scheduled, by %s of the latency on average against %s: the client, or the load it waited for, is part of what was measured.%s", share1(c.Baseline), share1(c.Candidate), tail)
	case verdict.TimeOverlap:
		if c.Baseline == 0 && c.Candidate == 0 {
			return "The sides ran at different times."
		}
		return fmt.Sprintf("The sides ran at the same time, for %s and %s of their time: on shared machines each slows the other.", share1(c.Baseline), share1(c.Candidate))
	case verdict.RunsAtOnce:
		return fmt.Sprintf("Runs of a side ran together: %s of those of the baseline, %s of those of the candidate. If they are pieces of one run, say --files parts, or name the run in a column.", share1(c.Baseline), share1(c.Candidate))
	case verdict.UnlikeRuns:
		s := scaleFor(metric.Seconds, c.Candidate)
		return fmt.Sprintf("The runs of the %s are not alike: their medians lie between %s and %s. If its files are pieces of one run, say --files parts.", c.Name,
			value(Num(c.Baseline), metric.Seconds, false, s), value(Num(c.Candidate), metric.Seconds, false, s))
	case verdict.HistogramsCheck:
		if c.BaselineText != c.CandidateText {
			return fmt.Sprintf("The baseline came as %s and the candidate as %s: a server and a client do not measure the same. Acknowledge the check (histograms) if these do.", c.BaselineText, c.CandidateText)
		}
		return fmt.Sprintf("The buckets of %s have other edges on the other side: both errors count, and each side's value rests on its own.", c.Name)
	case verdict.WarmUp:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Runs begin as they go on: %s of their first tenth is %s and %s times that of the rest.", c.Name, a, b)
		}
		who := "Runs of the " + strings.Join(c.IDs, " and the ") + " begin slow"
		switch {
		case c.Status == verdict.CheckFail && len(c.IDs) == 1:
			who += " and those of the " + map[string]string{"baseline": "candidate", "candidate": "baseline"}[c.IDs[0]] + " do not"
		case c.Status == verdict.CheckFail:
			who += ", and not alike"
		}
		return fmt.Sprintf("%s: %s of their first tenth is %s and %s times that of the rest. Cut the warm-up, for example with --warmup %.0fs.", who, c.Name, a, b, math.Ceil(c.Seconds))
	case verdict.Drift:
		return driftText(c)
	case verdict.FingerprintCheck:
		switch {
		case c.Status == verdict.CheckWarn:
			return fmt.Sprintf("The sides differ in %s: %s against %s.", c.Name, c.BaselineText, c.CandidateText)
		case c.BaselineText == "" && c.CandidateText == "":
			return fmt.Sprintf("The policy wants the same %s on both sides; neither side names it.", c.Name)
		case c.BaselineText != c.CandidateText:
			return fmt.Sprintf("The policy wants the same %s on both sides: it is %s against %s.", c.Name, orNone(c.BaselineText), orNone(c.CandidateText))
		}
		return fmt.Sprintf("Both sides ran with %s %s.", c.Name, c.BaselineText)
	case verdict.OfferedLoad:
		if c.Name != "" {
			return fmt.Sprintf("Whether the load was alike, and whether runs began slow, could not be checked: in runs of %s more than 5 %% of the requests have no start. Record when each was sent.", c.Name)
		}
		if c.BaselineText != "" || c.CandidateText != "" {
			return atOnceText(c, tail)
		}
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Load: %s and %s requests a second.", a, b)
		}
		if c.Rule == "chance" {
			return fmt.Sprintf("The load differs, but by no more than runs do by chance: %s requests a second against %s. Latencies under unlike load are not alike.", a, b)
		}
		return fmt.Sprintf("The load differs: %s requests a second against %s. Latencies under unlike load are not alike.%s", a, b, tail)
	case verdict.ClosedLoop:
		return fmt.Sprintf("The load followed the latency (closed loop): %s requests a second against %s, with %s and %s requests in flight.",
			a, b, digits(c.BaselineInFlight, 3), digits(c.CandidateInFlight, 3))
	case verdict.Arrivals:
		return arrivalsText(c, tail)
	case verdict.Concurrency:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Concurrency: %s and %s.", a, b)
		}
		return fmt.Sprintf("The concurrency differs: %s against %s.%s", a, b, tail)
	case verdict.RateSetting:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Configured rate: %s and %s requests a second.", a, b)
		}
		return fmt.Sprintf("The configured rate differs: %s requests a second against %s.%s", a, b, tail)
	case verdict.PromptMix:
		if c.Rule == "unsplit" && c.Status != verdict.CheckOK {
			return fmt.Sprintf("%s: median %s tokens against %s, and changes are not judged like for like by it.%s", promptsDiffer, tokens(c.Baseline), tokens(c.Candidate), tail)
		}
		return fmt.Sprintf("Median prompt: %s and %s tokens.", tokens(c.Baseline), tokens(c.Candidate))
	case verdict.AnswerMix:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Median answer: %s and %s tokens.", tokens(c.Baseline), tokens(c.Candidate))
		}
		return fmt.Sprintf("Answers differ in length: median %s tokens against %s.%s", tokens(c.Baseline), tokens(c.Candidate), tail)
	case verdict.CacheShare:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Prompt tokens from the prefix cache: %s and %s.", share1(c.Baseline), share1(c.Candidate))
		}
		return fmt.Sprintf("The prefix cache served %s of the prompt tokens against %s.%s", share1(c.Baseline), share1(c.Candidate), tail)
	case verdict.Models:
		return modelsText(c)
	case verdict.GroupShare:
		if c.Status == verdict.CheckOK {
			return fmt.Sprintf("Requests by %s: their shares are alike.", c.Name)
		}
		return fmt.Sprintf("The shares of requests by %s differ: %s %s against %s.", c.Name, orNone(c.BaselineText), share1(c.Baseline), share1(c.Candidate))
	case verdict.RunLength:
		s := scaleFor(metric.Seconds, c.Baseline)
		return fmt.Sprintf("A run lasts %s and %s.", value(Num(c.Baseline), metric.Seconds, false, s), value(Num(c.Candidate), metric.Seconds, false, s))
	}
	return ""
}

// atOnceText tells the load where the requests of runs have one and the same
// start, which is then no number.
func atOnceText(c *verdict.Check, tail string) string {
	of := func(rate float64, requests string) string {
		if requests != "" {
			return "all " + requests + " requests of a run at once"
		}
		return digits(rate, 3) + " requests a second"
	}
	a, b := of(c.Baseline, c.BaselineText), of(c.Candidate, c.CandidateText)
	if c.Status == verdict.CheckOK {
		return fmt.Sprintf("Load: %s and %s.", a, b)
	}
	return fmt.Sprintf("The load differs: %s against %s. Latencies under unlike load are not alike.%s", a, b, tail)
}

// arrivalsText tells how evenly requests came.
func arrivalsText(c *verdict.Check, tail string) string {
	a, b := digits(c.Baseline, 2), digits(c.Candidate, 2)
	where := "in stretches of time with " + plural(int64(c.Count), "request") + " on average"
	if c.Status == verdict.CheckOK {
		return fmt.Sprintf("Arrivals: %s their number varies %s and %s times as much as if they came at random.", where, a, b)
	}
	more := "candidate"
	if c.Baseline > c.Candidate {
		more = "baseline"
	}
	return fmt.Sprintf("Requests come less evenly in the %s: %s their number varies %s times as much as if they came at random, against %s times (0 is evenly spaced, 1 at random). Those of a burst wait for each other, at the same mean rate.%s", more, where, a, b, tail)
}

// driftText tells latencies that climb or fall through the runs.
func driftText(c *verdict.Check) string {
	values := fmt.Sprintf("%s of their last tenth is %s and %s times that of the second", c.Name, digits(c.Baseline, 3), digits(c.Candidate, 3))
	if c.Status == verdict.CheckOK {
		return "Latencies hold through the runs: " + values + "."
	}
	moves, because := "change", "the load or the system is not steady"
	rise := map[string]bool{"baseline": c.Baseline > 1, "candidate": c.Candidate > 1}
	up, down := 0, 0
	for _, side := range c.IDs {
		if rise[side] {
			up++
		} else {
			down++
		}
	}
	switch {
	case down == 0:
		moves, because = "climb", "a queue or a leak grows, so the load is not one that the system bears"
	case up == 0:
		moves, because = "fall", "the system still warms up, or its load goes down"
	}
	whose := "the " + strings.Join(c.IDs, " and the ")
	text := fmt.Sprintf("Latencies %s through the runs of %s: %s. It looks as if %s; percentiles then depend on how long a run lasts.", moves, whose, values, because)
	if c.Status == verdict.CheckFail {
		text += fmt.Sprintf(" A change of %s is tolerated.", percentOf(c.Limit))
	}
	return text
}

// failuresText tells the shares of failed requests.
func failuresText(c *verdict.Check, tail string) string {
	a, b := fixed(c.Baseline*100, 2)+" %", fixed(c.Candidate*100, 2)+" %"
	switch {
	case c.Status == verdict.CheckOK:
		return fmt.Sprintf("Failed requests: %s and %s.", a, b)
	case tail != "":
		what, of := "", ""
		if c.Rule == "tail" {
			what = fmt.Sprintf(" for %s", c.Result.Estimand)
		}
		if c.Name != "" {
			of = " of " + Printable(c.Name)
		}
		return fmt.Sprintf("More requests%s fail on one side: %s of the baseline's against %s of the candidate's. Latencies are of those that succeeded, and the slow ones may be missing. Without a gate for success_rate, a difference of %s is tolerated%s.", of, a, b, percentOf(c.Limit), what)
	}
	return fmt.Sprintf("Requests fail: %s of the baseline's and %s of the candidate's. Latencies are of those that succeeded.", a, b)
}

// lackingText tells what carries no value of a judged metric.
func lackingText(c *verdict.Check) string {
	what := c.Name
	if c.Result != nil && c.Result.Slice != nil {
		what += " of " + c.Result.Slice.String()
	}
	if c.Rule == "tail" {
		return fmt.Sprintf("%s is missing in %s of the baseline's successful requests and in %s of the candidate's, and the slow ones may be among them; for %s a difference of %s is tolerated.", what, fixed(c.Baseline*100, 2)+" %", fixed(c.Candidate*100, 2)+" %", c.Result.Estimand, percentOf(c.Limit))
	}
	if c.Count > 0 {
		return fmt.Sprintf("%s is missing in %d of %d runs of the %s: those runs are no evidence for it. Measure it in every run, or leave it out.", what, c.Count, c.Of, c.BaselineText)
	}
	tolerated := percentOf(c.Limit) + " of a side is tolerated"
	if c.Rule == "difference" {
		tolerated = "a difference of " + percentOf(c.Limit) + " is tolerated"
	}
	return fmt.Sprintf("%s is missing in %s of the baseline's successful requests and in %s of the candidate's, and the slow ones may be among them; %s.", what, share1(c.Baseline), share1(c.Candidate), tolerated)
}

// copiedText tells runs that repeat another.
func copiedText(c *verdict.Check) string {
	ids := c.IDs
	more := ""
	if most := 3; len(ids) > most {
		ids, more = ids[:most], ", …"
	}
	names := strings.Join(ids, ", ") + more
	switch {
	case c.Name != "":
		return fmt.Sprintf("%s of %d of the %s %s the values of another run of it (%s): copies are no evidence.", plural(int64(c.Count), "run"), c.Of, c.Name, numbered(c.Count, "repeats", "repeat"), names)
	case c.Status == verdict.CheckWarn:
		return "Every run of each side has the compared values of a run of the other: nothing can differ."
	}
	if c.Of == 1 {
		return fmt.Sprintf("The run of the baseline has the values of a run of the candidate (%s): what is on both sides hides the change.", names)
	}
	return fmt.Sprintf("%s of %d of the baseline %s the values of a run of the candidate (%s): what is on both sides hides the change.", plural(int64(c.Count), "run"), c.Of, numbered(c.Count, "has", "have"), names)
}

// numbered picks the verb for one or for several.
func numbered(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

func orNone(s string) string {
	if s == "" {
		return "not named"
	}
	return s
}

// countedText tells who counted the tokens of answers.
func countedText(c *verdict.Check) string {
	who := func(text string) string {
		switch text {
		case "server":
			return "the server"
		case "client":
			return "a tokenizer of the client"
		}
		return text
	}
	if c.Status == verdict.CheckOK {
		return fmt.Sprintf("Answer tokens of both sides are counted by: %s.", who(c.BaselineText))
	}
	return fmt.Sprintf("Answer tokens are not counted alike: on one side by %s, on the other by %s. What is made of them changes without any change of speed.", who(c.BaselineText), who(c.CandidateText))
}

// modelsText tells of sides with several models, or of which one names its model.
func modelsText(c *verdict.Check) string {
	if c.Rule == "one side" {
		name, one, other := c.BaselineText, "baseline", "candidate"
		if name == "" {
			name, one, other = c.CandidateText, other, one
		}
		return fmt.Sprintf("Only the %s names its model (%s): whether the %s served the same one is not known.", one, name, other)
	}
	sides := fmt.Sprintf("%s in the baseline, %s in the candidate", c.BaselineText, c.CandidateText)
	if c.BaselineText == c.CandidateText {
		sides = "on both sides " + c.BaselineText
	}
	first, _, _ := strings.Cut(c.BaselineText, ", ")
	if c.Candidate > c.Baseline {
		first, _, _ = strings.Cut(c.CandidateText, ", ")
	}
	switch c.Status {
	case verdict.CheckOK:
		return fmt.Sprintf("The requests of several models are told apart (%s).", sides)
	case verdict.CheckWarn:
		return fmt.Sprintf("The requests of several models are taken together (%s). To take one: INPUT#model=%s; to see each: --by %s.", sides, first, c.Name)
	}
	return fmt.Sprintf("The sides mix the requests of several models, and not alike (%s). Take one model of each with INPUT#model=%s.", sides, first)
}
