package metric

import (
	"maps"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// fingerprintColumns are looked at where a file has them.
var fingerprintColumns = []string{"model", "model_id", "model_name", "engine", "engine_version", "backend", "gpu", "gpu_type", "hardware", "dtype", "quantization", "tensor_parallel", "build", "commit", "git_sha", "version"}

// trafficWords are the columns that a look reads as words.
var trafficWords = slices.Concat(fingerprintColumns, groupColumns)

// groupColumns are counted by their words where a file has them: whoever sends
// the requests is part of the mix.
var groupColumns = []string{"tenant", "tenant_id", "customer", "customer_id", "class", "traffic_class", "tier", "priority"}

// maxGroups is how many words a group column may have; one with more is an
// identifier.
const maxGroups = 100

// maxFingerprint is how many distinct words of a column are kept.
const maxFingerprint = 8

// words notes the words of the columns that tell what served, and counts those
// of the columns that tell who asked.
func (t *Traffic) words(f *ingest.Frame) {
	for k, col := range f.Words {
		if col == nil || k >= len(trafficWords) {
			continue
		}
		if k >= len(fingerprintColumns) {
			t.groups(trafficWords[k], f, col)
			continue
		}
		if slices.Contains(ModelColumns, trafficWords[k]) {
			t.groups(trafficWords[k], f, col)
		}
		last := int32(-1)
		for i := range f.N {
			if col.StateAt(i) == ingest.Present && col.IDs[i] != last && !f.Reasons[i].Elsewhere() {
				last = col.IDs[i]
				t.note(fingerprintColumns[k], col.Dict[last])
			}
		}
	}
}

// groups counts the requests of a frame by the words of a column.
func (t *Traffic) groups(name string, f *ingest.Frame, col *ingest.Column) {
	counts := make([]int64, len(col.Dict)+1) // the last is of no word
	for i := range f.N {
		if o := f.Reasons[i].Outcome(); o != ingest.OK && o != ingest.Failed {
			continue
		}
		at := len(col.Dict)
		if col.StateAt(i) == ingest.Present {
			at = int(col.IDs[i])
		}
		counts[at]++
	}
	for at, n := range counts {
		if n == 0 {
			continue
		}
		word := ""
		if at < len(col.Dict) {
			word = strings.Clone(col.Dict[at])
		}
		t.group(name, word, n)
	}
}

// group counts a word of a group column. One word more than there may be are
// kept, to tell a column of too many.
func (t *Traffic) group(column, word string, n int64) {
	words := t.Groups[column]
	if words == nil {
		words = map[string]int64{}
		t.Groups[column] = words
	}
	if _, known := words[word]; known || len(words) <= maxGroups {
		words[word] += n
	}
}

// GroupCounts returns the requests by word of each column that tells who asked,
// on every side: those columns that all sides have and of which none has too many
// words. One model a side, be it another, is what is compared; several are a mix.
func GroupCounts(sides []*Traffic) map[string][]map[string]int64 {
	out := map[string][]map[string]int64{}
	for _, name := range slices.Concat(groupColumns, ModelColumns) {
		several := !slices.Contains(ModelColumns, name)
		var counts []map[string]int64
		for _, t := range sides {
			if n := len(t.Groups[name]); n > 0 && n <= maxGroups {
				counts, several = append(counts, t.Groups[name]), several || n > 1
			}
		}
		if len(counts) == len(sides) && several {
			out[name] = counts
		}
	}
	return out
}

// note keeps a word of a column; of very many the least in order, so that the
// result does not depend on the order of reading.
func (t *Traffic) note(column, word string) {
	words := t.Fingerprint[column]
	if words == nil {
		words = map[string]bool{}
		t.Fingerprint[column] = words
	}
	words[strings.Clone(word)] = true
	if len(words) > maxFingerprint {
		delete(words, slices.Max(slices.Collect(maps.Keys(words))))
	}
}
