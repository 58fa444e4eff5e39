package report

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// JSONSchema returns the JSON Schema of what --format json prints: a report,
// generated from Document, or an error.
func JSONSchema() ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: false, AllowAdditionalProperties: true}
	s := r.Reflect(&Document{})
	admitNull(s.Definitions, reflect.TypeFor[Document](), map[reflect.Type]bool{})
	s.Title = "perfdiff report"
	s.Description = "Units are seconds, tokens, ratios and shares. A null number is unbounded or not available; a warning says why."
	s.Definitions["Error"] = r.Reflect(&errorDocument{}).Definitions["errorDocument"]
	s.Ref, s.OneOf = "", []*jsonschema.Schema{{Ref: "#/$defs/Document"}, {Ref: "#/$defs/Error"}}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// admitNull lets every pointer of t, and of what t is made of, be null.
func admitNull(defs jsonschema.Definitions, t reflect.Type, done map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	def := defs[t.Name()]
	if t.Kind() != reflect.Struct || def == nil || done[t] {
		return
	}
	done[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if prop, ok := def.Properties.Get(name); ok && f.Type.Kind() == reflect.Pointer {
			def.Properties.Set(name, &jsonschema.Schema{OneOf: []*jsonschema.Schema{prop, {Type: "null"}}})
		}
		admitNull(defs, f.Type, done)
	}
}
