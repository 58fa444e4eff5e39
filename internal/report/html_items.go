package report

import (
	"fmt"
	"strings"
)

// mostFlips is how many flips a page lists; the JSON report has them all.
const mostFlips = 500

// fewFlips is up to how many flips the list is open from the start.
const fewFlips = 20

// itemsOf lays out what only reports about scores of items have: the table of
// right and wrong, the noise of repeated answers, and the items that changed.
func itemsOf(doc *Document) (pairs, repeats string, flips tableView) {
	if doc.Pairs == nil || len(doc.Results) == 0 {
		return "", "", flips
	}
	flips = tableView{ID: "table-flips", Head: []headCell{{"item", false}, {"task", false}, {"metric", false}, {"before", true}, {"after", true}, {"slice", false}, {"answers", false}}}
	flips.Caption = "Items whose outcome changed, the worst first."
	if n := len(doc.Flips); n > mostFlips {
		flips.Caption = fmt.Sprintf("The first %s of %s items whose outcome changed, the worst first; the JSON report has all.", count(mostFlips), count(int64(n)))
	}
	for i := range doc.Flips {
		if i == mostFlips {
			break
		}
		f := &doc.Flips[i]
		item := f.Item
		if f.Turn != "" {
			item += " turn " + f.Turn
		}
		flips.Rows = append(flips.Rows, rowView{Cells: []cellView{
			textCell("item", item, "head"), textCell("task", f.Task, ""), textCell("metric", scoreName(f.Metric, f.Filter), ""),
			valueCell("before", number(float64(f.Baseline)), f.Baseline), valueCell("after", number(float64(f.Candidate)), f.Candidate),
			textCell("slice", sliceText(f.Slice), ""), textCell("answers", strings.Join(flipTexts(*f), " → "), "text"),
		}})
	}
	return crossTable(doc), repeatText(doc), flips
}
