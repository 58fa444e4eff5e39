package report

import (
	"encoding/json"
	"math"

	"github.com/invopop/jsonschema"
)

// Num is a number of the report. NaN and ±Inf, which JSON cannot carry, are
// written as null: the number is unbounded or not available.
type Num float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Num) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Num(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// JSONSchema describes a Num.
func (Num) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "null"}}}
}

// Known reports whether the number is finite.
func (n Num) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

var none = Num(math.NaN())
