package report

import (
	"regexp"
	"strings"
)

// methodView is a method with its uses and where it is described.
type methodView struct{ Text, Where, Link string }

// methodPages tells where methods are described, by words of their name. The
// first that matches holds.
var methodPages = []struct{ words, page string }{
	{"Woodruff", "docs/methods/quantiles.md#one-dependent-series-woodruffci-woodruffbatches"},
	{"matched requests", "docs/methods/runs.md#jackknife-of-pairs-jackknifedifference"},
	{"of pairs of", "docs/methods/runs.md#jackknife-of-pairs-jackknifedifference"},
	{"jackknife", "docs/methods/runs.md#jackknife-jackknife"},
	{"spread between", "docs/methods/runs.md#one-run-on-a-side-runratiopooled-pooled"},
	{"Miettinen", "docs/methods/proportions.md#difference-of-two-miettinennurminen-mee"},
	{"Wilson", "docs/methods/proportions.md#one-proportion-wilson-clopperpearson-midp-jeffreys-agresticoull"},
	{"order statistics", "docs/methods/quantiles.md#order-statistic-intervals-orderstatci-orderstatranks-orderstatlower-orderstatupper"},
	{"time batches", "docs/methods/runs.md#mean-of-one-dependent-series-batchmeans"},
	{"Tango", "docs/methods/paired.md#tango-score-interval-and-test-tangoscore-tangotest-tangononinferiority"},
	{"CR2", "docs/methods/paired.md#items-in-clusters-clusterrobust-clustermeans-obuchowski-durkalski"},
	{"paired t", "docs/methods/paired.md#mean-difference-noninferiority-equivalence-meandifference-ttest-noninferiority-tost"},
	{"shares of runs", "docs/methods/runs.md#difference-of-means-welch-welchmoments-welchtest-twosample-meant"},
	{"t on", "docs/methods/runs.md#difference-of-means-welch-welchmoments-welchtest-twosample-meant"},
	{"reweight", "docs/methods/mixshift.md#runs-splitruns-runsplitparts"},
}

func methodPage(method string) string {
	for _, m := range methodPages {
		if strings.Contains(method, m.words) {
			return m.page
		}
	}
	return ""
}

// methodsOf lists the methods that the results used, in their order.
func methodsOf(doc *Document) []methodView {
	var out []methodView
	uses := map[string][]string{}
	var order []string
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Method == "" || r.Method == "none" || r.Slice != nil {
			continue
		}
		if uses[r.Method] == nil {
			order = append(order, r.Method)
		}
		uses[r.Method] = append(uses[r.Method], shortName(r))
	}
	link := func(page string) string {
		if page == "" {
			return ""
		}
		return docLink(doc.Tool.Version, page)
	}
	for _, m := range order {
		out = append(out, methodView{Text: capitalize(m), Where: nameList(uses[m]), Link: link(methodPage(m))})
	}
	if len(doc.MixShift) > 0 {
		out = append(out, methodView{Text: "Like for like by reweighting the candidate to the baseline's traffic", Link: link(methodPage("reweight"))})
	}
	if doc.Verdict != nil {
		out = append(out, methodView{Text: "A FAIL allows for the number of gates (Holm); a PASS needs every gate", Link: link("docs/methods/multiplicity.md#which-correction")})
	}
	return out
}

var release = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// docLink is the address of a document of this version.
func docLink(version, page string) string {
	ref := "main"
	if release.MatchString(version) {
		ref = version
	}
	return "https://github.com/perfdiff/perfdiff/blob/" + ref + "/" + page
}
