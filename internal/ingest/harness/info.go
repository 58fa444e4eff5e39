package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// info is what a file says of itself: the harness, what was measured, and
// remarks for the user.
type info struct {
	harness string
	prints  []ingest.KeyValue
	notes   []string
}

// maxPrint is the longest value of a fingerprint that is kept, and maxValues
// the most different values of one.
const (
	maxPrint  = 300
	maxValues = 8
)

// print adds a value of what was measured. Several values of one key, as runs
// of one file may have them, are all kept.
func (n *info) print(key, value string) {
	if value = strings.TrimSpace(value); value == "" || value == "null" {
		return
	}
	if len(value) > maxPrint {
		value = strings.ToValidUTF8(value[:maxPrint], "") + "…"
	}
	key = "fingerprint." + key
	i := slices.IndexFunc(n.prints, func(kv ingest.KeyValue) bool { return kv.Key == key })
	if i < 0 {
		n.prints = append(n.prints, ingest.KeyValue{Key: key, Value: value})
		return
	}
	have := strings.Split(n.prints[i].Value, " | ")
	if !slices.Contains(have, value) && len(have) < maxValues {
		n.prints[i].Value += " | " + value
	}
}

// note adds a remark for the user, once.
func (n *info) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(n.notes, text) {
		n.notes = append(n.notes, text)
	}
}

// metadata lists it all by key.
func (n *info) metadata() []ingest.KeyValue {
	kv := append([]ingest.KeyValue{{Key: "harness", Value: n.harness}}, n.prints...)
	width := len(strconv.Itoa(len(n.notes)))
	for i, text := range n.notes {
		kv = append(kv, ingest.KeyValue{Key: fmt.Sprintf("perfdiff.note.%0*d", width, i+1), Value: text})
	}
	slices.SortFunc(kv, func(a, b ingest.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return kv
}
