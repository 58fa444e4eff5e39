package cli

import (
	"bytes"
	"strings"
	"testing"
)

// A shell offers files beside the names of commands, and the words of flags that
// take few.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		program string
		args    []string
		want    string // words that are offered, then the directive
	}{
		{"perfdiff", []string{""}, "calibrate completion convert describe help plan schema :0"},
		{"perfdiff", []string{"before.parquet", ""}, ":0"},
		{"perfdiff", []string{"describe", ""}, ":0"},
		{"perfdiff", []string{"--format", ""}, strings.Join(formats, " ") + " :4"},
		{"perfdiff", []string{"--unit", ""}, "auto run replica session block request :4"},
		{"perfdiff", []string{"--mix", ""}, "prompt_tokens output_tokens cached_tokens none :4"},
		{"perfdiff", []string{"-m", "tt"}, "ttft tpot itl chunk_gap e2e latency output_tps success_rate throughput_rps throughput_tps :4"},
		{"perfdiff", []string{"describe", "--reader", ""}, strings.Join(readerNames(), " ") + " :4"},
		{"perfdiff", []string{"--by", ""}, ":0"},
		{"qualdiff", []string{"describe", ""}, ":0"},
		{"qualdiff", []string{"--reader", ""}, strings.Join(evalNames(), " ") + " :4"},
		{"qualdiff", []string{"--on-inconclusive", ""}, "fail pass :4"},
	} {
		var out, errs bytes.Buffer
		env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		call := map[string]func() int{
			"perfdiff": func() int { return Perfdiff(t.Context(), env, append([]string{"__complete"}, c.args...)) },
			"qualdiff": func() int { return Qualdiff(t.Context(), env, append([]string{"__complete"}, c.args...)) },
		}
		code := call[c.program]()
		var got []string
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got = append(got, word)
		}
		if text := strings.Join(got, " "); code != 0 || text != c.want {
			t.Errorf("%s %q: exit %d, %s; want %s", c.program, c.args, code, text, c.want)
		}
	}
}
