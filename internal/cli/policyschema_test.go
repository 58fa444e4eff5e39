package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/goccy/go-yaml"

	rules "github.com/perfdiff/perfdiff/internal/verdict"
)

const policySchemaFile = "../../docs/policy.schema.json"

func TestPolicySchemaIsCurrent(t *testing.T) {
	want, err := rules.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(filepath.FromSlash(policySchemaFile), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.FromSlash(policySchemaFile))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/policy.schema.json is not what verdict.File gives; run go test ./internal/cli -run TestPolicySchemaIsCurrent -update")
	}
}

// policyFaults holds a policy against the schema.
func policyFaults(t *testing.T, text []byte) []string {
	t.Helper()
	schema, err := rules.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatalf("the schema uses a keyword that the test does not know: %v", err)
	}
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return root.check(&root, "policy", v)
}

// What the command reads, the schema allows, and what it refuses for its keys
// or types, the schema refuses.
func TestPolicySchemaAgreesWithTheReader(t *testing.T) {
	doc, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(doc)
	if block == nil {
		t.Fatal("docs/policy.md shows no policy")
	}
	good := map[string]string{
		"the documented policy": string(block[1]),
		"the least":             "version: 1\n",
		"a plain margin":        "version: 1\nmargins: {retries: 0.5, 'ttft:p99': 20ms}\n",
	}
	for name, text := range good {
		if _, err := rules.ParseFile("perfdiff.yaml", []byte(text)); err != nil {
			t.Errorf("%s: the reader refuses it: %v", name, err)
		}
		if faults := policyFaults(t, []byte(text)); len(faults) > 0 {
			t.Errorf("%s: the schema refuses it: %v", name, faults)
		}
	}
	for name, text := range map[string]string{
		"no version":              "level: 0.9\n",
		"another version":         "version: 2\n",
		"an unknown key":          "version: 1\nmargin: 5%\n",
		"an unknown key below":    "version: 1\ncost: {gpu_hours: 2}\n",
		"a wrong type":            "version: 1\nlevel: high\n",
		"a list for one":          "version: 1\nsoft: ttft\n",
		"an unknown check":        "version: 1\ncomparability: {acknowledged: [moon]}\n",
		"an acceptance cut off":   "version: 1\naccepted: [{gate: ttft}]\n",
		"a margin that is a list": "version: 1\nmargins: {ttft: [5%]}\n",
	} {
		if _, err := rules.ParseFile("perfdiff.yaml", []byte(text)); err == nil {
			t.Errorf("%s: the reader takes it", name)
		}
		if faults := policyFaults(t, []byte(text)); len(faults) == 0 {
			t.Errorf("%s: the schema takes it", name)
		}
	}
	// What is printed can be read by both.
	printed := run(t, "--print-config", "--margin", "ttft=5%").stdout
	if faults := policyFaults(t, []byte(printed)); len(faults) > 0 {
		t.Errorf("the printed policy: %v\n%s", faults, printed)
	}
}
