package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

const schemaFile = "../../docs/report.schema.json"

// TestSchemaIsCurrent pins every key of the JSON report and its type.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := report.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(filepath.FromSlash(schemaFile), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.FromSlash(schemaFile))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/report.schema.json is not what report.Document gives. If keys were added, run go test ./internal/cli -run TestSchemaIsCurrent -update; a key that was renamed or taken away breaks scripts and needs a new schema_version")
	}
}

// TestEveryKeyIsThere holds that a report has every key of the schema, null
// where there is nothing to say, so that scripts need not ask.
func TestEveryKeyIsThere(t *testing.T) {
	for _, args := range [][]string{
		{"compare", before("P26"), caseFile("P26", "after_fail.csv")},
		{"compare", before("P08"), after("P08")},
		{"describe", before("P26")},
	} {
		if args[0] == "compare" {
			args = args[1:]
		}
		res := run(t, append(args, "--format", "json")...) // checks types and required keys
		var doc map[string]any
		if err := json.Unmarshal([]byte(res.stdout), &doc); err != nil {
			t.Fatal(err)
		}
		s := schema(t)
		if got, want := keys(doc), keys(s.Defs["Document"].Properties); !slices.Equal(got, want) {
			t.Errorf("%q: keys %v, want %v", args, got, want)
		}
		for _, r := range doc["results"].([]any) {
			if got, want := keys(r.(map[string]any)), keys(s.Defs["Result"].Properties); !slices.Equal(got, want) {
				t.Errorf("%q: keys of a result %v, want %v", args, got, want)
			}
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// node is the part of JSON Schema that the report's schema uses; an unknown
// keyword is an error, so that the check cannot pass over one.
type node struct {
	Schema               string           `json:"$schema"`
	Title, Description   string           // text for people
	Ref                  string           `json:"$ref"`
	Defs                 map[string]*node `json:"$defs"`
	Type                 string           `json:"type"`
	Properties           map[string]*node `json:"properties"`
	AdditionalProperties *node            `json:"additionalProperties"`
	Required             []string         `json:"required"`
	Items                *node            `json:"items"`
	OneOf                []*node          `json:"oneOf"`
	Enum                 []any            `json:"enum"`
	Format               string           `json:"format"` // not checked

	never bool // the schema false, which nothing fits
}

func (n *node) UnmarshalJSON(b []byte) error {
	if string(b) == "false" {
		n.never = true
		return nil
	}
	type plain node
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(n))
}

var loadSchema = sync.OnceValues(func() (*node, error) {
	text, err := report.JSONSchema()
	if err != nil {
		return nil, err
	}
	s := &node{}
	return s, json.Unmarshal(text, s)
})

func schema(t *testing.T) *node {
	t.Helper()
	s, err := loadSchema()
	if err != nil {
		t.Fatalf("the schema uses a keyword that the test does not know: %v", err)
	}
	return s
}

// validate returns what in a decoded JSON value the schema does not allow.
func validate(t *testing.T, v any) []string {
	t.Helper()
	root := schema(t)
	return root.check(root, "report", v)
}

func (n *node) check(root *node, at string, v any) (faults []string) {
	if n.Ref != "" {
		def := root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
		if def == nil {
			return []string{at + ": the schema has no " + n.Ref}
		}
		return def.check(root, at, v)
	}
	if len(n.OneOf) > 0 {
		var all []string
		fits := 0
		for _, o := range n.OneOf {
			f := o.check(root, at, v)
			if len(f) == 0 {
				fits++
			}
			all = append(all, f...)
		}
		if fits != 1 {
			return append(all, fmt.Sprintf("%s: %d of the alternatives fit, want 1", at, fits))
		}
		return nil
	}
	if len(n.Enum) > 0 && !slices.Contains(n.Enum, v) {
		faults = append(faults, fmt.Sprintf("%s: %v is none of %v", at, v, n.Enum))
	}
	if got := typeOf(v); n.Type != "" && got != n.Type && !(n.Type == "number" && got == "integer") {
		return append(faults, fmt.Sprintf("%s: %v is a %s, want a %s", at, v, got, n.Type))
	}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			faults = append(faults, n.Items.check(root, fmt.Sprintf("%s[%d]", at, i), e)...)
		}
	case map[string]any:
		for _, key := range n.Required {
			if _, ok := v[key]; !ok {
				faults = append(faults, at+": key "+key+" is missing")
			}
		}
		for _, key := range keys(v) {
			child := n.Properties[key]
			if child == nil {
				child = n.AdditionalProperties
			}
			if child == nil || child.never {
				faults = append(faults, at+": key "+key+" is not in the schema")
				continue
			}
			faults = append(faults, child.check(root, at+"."+key, v[key])...)
		}
	}
	return faults
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// TestSchemaCheckCatches holds that the check above is one.
func TestSchemaCheckCatches(t *testing.T) {
	good := run(t, "--format", "json", before("P26"), caseFile("P26", "after_fail.csv")).stdout
	for name, spoil := range map[string]func(doc map[string]any){
		"a key that is missing":  func(d map[string]any) { delete(d, "verdict") },
		"a key that is new":      func(d map[string]any) { d["novelty"] = 1.0 },
		"a verdict of its own":   func(d map[string]any) { d["verdict"] = "MAYBE" },
		"a number as text":       func(d map[string]any) { d["level"] = "0.95" },
		"half a run":             func(d map[string]any) { d["baseline"].(map[string]any)["runs"] = 1.5 },
		"null for a list":        func(d map[string]any) { d["results"] = nil },
		"a list for an object":   func(d map[string]any) { d["design"] = []any{} },
		"no value in an object":  func(d map[string]any) { d["tool"].(map[string]any)["name"] = nil },
		"a result of other keys": func(d map[string]any) { d["results"] = []any{map[string]any{"metric": "ttft"}} },
	} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(good), &doc); err != nil {
			t.Fatal(err)
		}
		if faults := validate(t, doc); len(faults) > 0 {
			t.Fatalf("the report itself: %v", faults)
		}
		spoil(doc)
		if faults := validate(t, doc); len(faults) == 0 {
			t.Errorf("%s went unseen", name)
		}
	}
}
