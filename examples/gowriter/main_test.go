package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The example in Go and the committed output of the one in Python
// (examples/writer.py) are the same requests.
func TestBothExamplesWriteTheSameRequests(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	python, err := os.ReadFile("../records.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(records(t, python), records(t, b.Bytes())); diff != "" {
		t.Errorf("Python and Go differ (-python +go):\n%s", diff)
	}
}

func records(t *testing.T, text []byte) []Record {
	t.Helper()
	var out []Record
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		var r Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}
