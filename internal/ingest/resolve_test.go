package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// col describes a column as NAME:CLASS, the class a letter: n number, d
// duration, i instant, b bool, t text, l list, 0 null, o other; u is a number
// whose cells carry their unit.
func col(text string) ColumnInfo {
	name, class, _ := strings.Cut(text, ":")
	classes := map[string]Class{"": NumericClass, "n": NumericClass, "u": NumericClass, "d": DurationClass, "i": InstantClass, "b": BoolClass, "t": TextClass, "l": ListClass, "0": NullClass, "o": OtherClass}
	return ColumnInfo{Name: name, Type: "type " + class, Class: classes[class], CellUnits: class == "u" || class == "i"}
}

func cols(texts ...string) (out []ColumnInfo) {
	for _, t := range texts {
		out = append(out, col(t))
	}
	return out
}

// bound lists the bindings of a layout as FIELD=COLUMN:UNIT.
func bound(l *Layout) (out []string) {
	for f := Field(0); f < NumFields; f++ {
		if b := l.Fields[f]; b.Bound() {
			s := f.String() + "=" + b.Name
			if b.Unit.Known() && b.Unit != One {
				s += ":" + b.Unit.Name
			}
			if b.Flag {
				s += " flag"
			}
			if b.Invert {
				s += " inverted"
			}
			out = append(out, s)
		}
	}
	return out
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		why     string
		columns []string
		want    []string
	}{
		{"a suffix is the unit", []string{"ttft_ms", "e2e_s"}, []string{"ttft=ttft_ms:ms", "e2e=e2e_s:s"}},
		{"in whatever spelling", []string{"TTFT (ms)", "e2eLatencyUs", "prompt-tokens"}, []string{"ttft=TTFT (ms):ms", "e2e=e2eLatencyUs:us", "prompt_tokens=prompt-tokens"}},
		{"an alias", []string{"time_to_first_token_seconds", "completion_tokens", "pod:t"}, []string{"replica=pod", "ttft=time_to_first_token_seconds:s", "output_tokens=completion_tokens"}},
		{"the more trusted alias goes first", []string{"timestamp:i", "start_time:i"}, []string{"start=start_time"}},
		{"a whole name before a part of a path", []string{"meta.ttft_ms", "ttft_s"}, []string{"ttft=ttft_s:s"}},
		{"else the last part of a path", []string{"timing.ttft_ms", "usage.completion_tokens"}, []string{"ttft=timing.ttft_ms:ms", "output_tokens=usage.completion_tokens"}},
		{"cells that carry their unit", []string{"latency:u"}, []string{"latency=latency"}},
		{"a typed duration", []string{"duration:d"}, []string{"latency=duration:s"}},
		{"a typed instant", []string{"start:i", "end:i", "scheduled_at:i", "first_token_at:i"}, []string{"start=start", "end=end", "scheduled=scheduled_at", "first_token=first_token_at"}},
		{"a list of gaps", []string{"itl_ms:l"}, []string{"itl=itl_ms:ms"}},
		{"a flag of success", []string{"success:b"}, []string{"status=success flag"}},
		{"a flag of failure", []string{"is_error:b"}, []string{"status=is_error flag inverted"}},
		{"a status word", []string{"status:t", "http_status", "error:t", "benchmark_phase:t", "load_stage"}, []string{"status=status", "http_status=http_status", "error=error", "phase=benchmark_phase", "stage=load_stage"}},
		{"ids", []string{"req_id:t", "prompt_hash:t", "run_id", "conversation_id:t"}, []string{"request_id=req_id", "prompt_id=prompt_hash", "run=run_id", "session=conversation_id"}},
		{"load", []string{"max_concurrency", "request_rate", "cached_prompt_tokens"}, []string{"cached_tokens=cached_prompt_tokens", "concurrency=max_concurrency", "rate=request_rate"}},
		{"a column of nulls", []string{"ttft_ms:0"}, []string{"ttft=ttft_ms:ms"}},
		{"nothing that is known", []string{"colour:t", "weight"}, nil},
		{"a mean gap is not a list of gaps", []string{"inter_token_latency_ms"}, nil},
	} {
		l, err := Resolve("x.csv", cols(c.columns...), nil)
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		want := slices.Clone(c.want)
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], ":t")
		}
		if d := cmp.Diff(want, bound(l)); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, d)
		}
	}
}

// Every alias of every field is recognised, with each unit it may have.
func TestEveryAliasIsFound(t *testing.T) {
	seen := map[string]Field{}
	for f := Field(0); f < NumFields; f++ {
		if len(fields[f].aliases) == 0 || fields[f].aliases[0] != f.String() {
			t.Errorf("%s: its own name is not its first alias", f)
		}
		for _, alias := range fields[f].aliases {
			if other, ok := seen[alias]; ok {
				t.Errorf("%s is an alias of %s and of %s", alias, other, f)
			}
			seen[alias] = f
			if NormalName(alias) != alias {
				t.Errorf("%s: alias %q is not in normal form", f, alias)
			}
			class := map[Form]string{Number: "n", Time: "n", Text: "t", NumberList: "l"}[f.Form()]
			names := []string{alias}
			if f.IsTime() {
				names = []string{alias + "_ms", alias + "_s", alias + "_in_us", alias + "_ns"}
			}
			for _, name := range names {
				l, err := Resolve("x", cols(name+":"+class), nil)
				if err != nil || l.Fields[f].Name != name {
					t.Errorf("column %s is not taken for %s: %v, %v", name, f, bound(l), err)
				}
				if measured := Measured(name); measured != (f.Form() != Text) {
					t.Errorf("Measured(%s) = %v", name, measured)
				}
			}
		}
		if got, ok := ParseField(f.String()); !ok || got != f || !strings.Contains(FieldNames(), f.String()) {
			t.Errorf("ParseField(%s) = %v", f, got)
		}
	}
	if _, ok := ParseField("nope"); ok || NumFields.String() != "unknown" {
		t.Error("nope is a field")
	}
	if Measured("Dear all") || Measured("") {
		t.Error("prose is measured")
	}
}

func TestResolveErrors(t *testing.T) {
	for _, c := range []struct {
		why       string
		columns   []string
		overrides []string
		want      string
	}{
		{"a latency without unit", []string{"ttft"}, nil, `x.csv: column "ttft" has no unit: rename it (ttft_ms) or say --column ttft=ttft:ms`},
		{"two that look alike", []string{"ttft_ms", "ttft_s"}, nil, `columns "ttft_ms" and "ttft_s" both look like ttft: choose one with --column ttft=ttft_ms`},
		{"a mapping to nothing", []string{"a", "b"}, []string{"ttft=c:ms"}, `there is no column "c" for field ttft; columns are a, b`},
		{"a mapping to words", []string{"a:t"}, []string{"ttft=a:ms"}, `column "a" (type t) cannot be field ttft: a number is needed, the column holds type t`},
		{"a mapping without unit", []string{"a"}, []string{"ttft=a"}, "it has no unit"},
		{"a list of numbers is no list of gaps elsewhere", []string{"a"}, []string{"itl=a:ms"}, "a list of numbers is needed"},
		{"a time of words", []string{"a:t"}, []string{"start=a:s"}, "a time is needed"},
		{"words of a list", []string{"a:l"}, []string{"run=a"}, "words are needed"},
	} {
		var overrides []Override
		for _, text := range c.overrides {
			o, err := ParseOverride(text)
			if err != nil {
				t.Fatal(err)
			}
			overrides = append(overrides, o)
		}
		if _, err := Resolve("x.csv", cols(c.columns...), overrides); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"ttft": "want FIELD=COLUMN[:UNIT]", "ttft=": "want FIELD=COLUMN[:UNIT]", "nope=a": `there is no field "nope"; fields are request_id`,
		"ttft=a:parsec": `unknown unit "parsec"`, "run=a:ms": "field run is not a time and takes no unit",
	} {
		if _, err := ParseOverride(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		override string
		columns  []string
		want     []string
	}{
		{"ttft=first:ms", []string{"first", "ttft_s"}, []string{"ttft=first:ms"}},
		{"ttft=first_us", []string{"first_us"}, []string{"ttft=first_us:us"}},
		{"ttft=first_us:ms", []string{"first_us"}, []string{"ttft=first_us:ms"}}, // what is said goes before the name
		{"latency=e2e_ms:ms", []string{"e2e_ms"}, []string{"latency=e2e_ms:ms"}},
		{" run =batch", []string{"batch"}, []string{"run=batch"}},
		{"status=worked", []string{"worked:b"}, []string{"status=worked"}},
	} {
		o, err := ParseOverride(c.override)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Resolve("x", cols(c.columns...), []Override{o})
		if err != nil {
			t.Errorf("%s: %v", c.override, err)
			continue
		}
		if d := cmp.Diff(c.want, bound(l)); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.override, d)
		}
	}
}

// Every numeric column can be a metric, in the unit of its name or its field;
// free columns of words can be slices.
func TestColumnsThatAreLeft(t *testing.T) {
	l, err := Resolve("x", cols("ttft_ms", "queue_s", "retries", "wait:d", "mixed:u", "region:t", "stream:b", "status:t", "when:i", "tags:l"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range l.Generic {
		got = append(got, fmt.Sprintf("%s %s", g.Name, g.Unit.Name))
	}
	if d := cmp.Diff([]string{"ttft_ms ms", "queue_s s", "retries 1", "wait s", "mixed "}, got); d != "" {
		t.Errorf("numbers (-want +got)\n%s", d)
	}
	got = nil
	for _, g := range l.Text {
		got = append(got, g.Name)
	}
	if d := cmp.Diff([]string{"region", "stream"}, got); d != "" {
		t.Errorf("words (-want +got)\n%s", d)
	}
	// A column that looks like a field and cannot be it is pointed out.
	l, err = Resolve("x", cols("output_tokens:t", "latency_s"), nil)
	if err != nil || len(l.Notes) != 1 || !strings.Contains(l.Notes[0], `column "output_tokens" looks like output_tokens and is not used: a number is needed`) {
		t.Errorf("notes %q, %v", l.Notes, err)
	}
	if !l.HasField(Latency) || l.HasField(E2E) {
		t.Error("a lone latency is e2e")
	}
	l, _ = Resolve("x", cols("start:i", "end:i", "first_token:i"), nil)
	if !l.HasField(E2E) || !l.HasField(TTFT) || l.HasField(TPOT) {
		t.Error("what times give is not there")
	}
}

func TestColumnNames(t *testing.T) {
	var many []ColumnInfo
	for i := range 35 {
		many = append(many, ColumnInfo{Name: fmt.Sprint("c", i)})
	}
	if got := ColumnNames(many); !strings.HasSuffix(got, "c29, and 5 more") {
		t.Errorf("%q", got)
	}
	if got, want := ColumnNames([]ColumnInfo{{Name: strings.Repeat("é", 80)}, {Name: strings.Repeat("é", 81)}}), strings.Repeat("é", 80)+", "+strings.Repeat("é", 80)+"…"; got != want {
		t.Errorf("%q", got)
	}
	if got := ColumnNames(nil); got != "none" {
		t.Errorf("%q", got)
	}
}

func TestUnits(t *testing.T) {
	for word, want := range map[string]float64{"s": 2, "Seconds": 2, " ms ": 0.002, "µs": 2e-6, "us": 2e-6, "ns": 2e-9, "min": 120, "hours": 7200} {
		u, ok := ParseUnit(word)
		if !ok || u.ToBase(2) != want {
			t.Errorf("2 %s are %v s, %v", word, u.ToBase(2), ok)
		}
		num, den := u.Factors()
		if 2*num/den != want || u.Nanoseconds() != 1e9*num/den {
			t.Errorf("%s: factors %v, %v", word, num, den)
		}
	}
	if _, ok := ParseUnit("parsec"); ok || (Unit{}).Known() {
		t.Error("a parsec is known")
	}
	if num, den := (Unit{}).Factors(); num != 1 || den != 1 {
		t.Errorf("an unknown unit has factors %v, %v", num, den)
	}
	for name, want := range map[string]string{
		"ttft_ms": "ttft ms", "latency_in_seconds": "latency s", "ttft": "ttft ", "ttft_min": "ttft_min ", "time_h": "time_h ", "tokens_per_s": "tokens_per_s ", "_ms": "_ms ", "a_b_ns": "a_b ns",
	} {
		stem, u := SplitUnit(name)
		if got := stem + " " + u.Name; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for in, want := range map[string]string{
		"TTFT (ms)": "ttft_ms", "ttftMs": "ttft_ms", "ttft-ms": "ttft_ms", " a  b ": "a_b", "x.Y.zW": "x.y.z_w", "p99": "p99", "E2E": "e2e", "": "",
		"E2E Latency (ms)": "e2e_latency_ms", "e2ELatencyMs": "e2e_latency_ms", "E2EL (ms)": "e2el_ms", "e2els": "e2els", "meta.E2E_s": "meta.e2e_s", "re2e": "re2e", "numGPUs": "num_gpus",
		"a/b:c": "a_b_c", "größe": "größe",
	} {
		if got := NormalName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
