package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
)

// choice is the model that an INPUT chooses, "" for all.
type choice struct{ input, path, model string }

// keepModel holds that every INPUT has the model that it chooses in some file.
// Files that lack it are noted: they hold no run.
func (s *session) keepModel(in *metric.Input, files []*ingest.Input, chosen map[*ingest.Input]choice) error {
	found, others := map[choice]bool{}, map[choice][]string{}
	for i, file := range files {
		c := chosen[file]
		if c.model == "" {
			continue
		}
		if isHistogram(file) {
			return noRecords(file, "#model="+c.model)
		}
		f := &in.Files[i]
		names, ok, err := f.Models(context.Background())
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", f.Path, err)
		case !ok:
			return usage("%s: #model=%s needs a column that tells the model (%s), and the file has none; columns are %s", f.Path, c.model, strings.Join(metric.ModelColumns, ", "), f.ColumnNames())
		case slices.Contains(names, c.model) || len(names) >= metric.MostModels:
			found[c] = true
		default:
			s.notes = append(s.notes, report.Note{Code: "passed_over", Text: fmt.Sprintf("%s passed over: no record of it is of model %s", f.Path, c.model)})
		}
		for _, n := range names {
			if !slices.Contains(others[c], n) {
				others[c] = append(others[c], n)
			}
		}
	}
	for _, file := range files {
		if c := chosen[file]; c.model != "" && !found[c] {
			return usage("%s: there is no model %q in it; %s", c.input, c.model, modelList(others[c]))
		}
	}
	return nil
}

// modelList lists the models that there are.
func modelList(names []string) string {
	if len(names) == 0 {
		return "no record names one"
	}
	slices.Sort(names)
	const most = 30
	tail := ""
	if len(names) > most {
		names, tail = names[:most], ", …"
	}
	return "models are " + strings.Join(names, ", ") + tail
}

// oneModelEach reports a choice of a model where files are taken whole.
func oneModelEach(what string, inputs []string) error {
	for _, input := range inputs {
		if _, path, model := splitInput(input); model != "" {
			return usage("%s: %s takes all records of a file; name it as %s", input, what, path)
		}
	}
	return nil
}
