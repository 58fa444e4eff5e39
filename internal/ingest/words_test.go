package ingest

import (
	"strings"
	"testing"
)

func TestStatusWords(t *testing.T) {
	plain, flag, inverted := Binding{}, Binding{Flag: true}, Binding{Flag: true, Invert: true}
	for _, c := range []struct {
		b     Binding
		words string
		want  Reason
	}{
		{plain, "ok OK success Succeeded complete done stop length true 200 204 200.0", Good},
		{plain, "error FAILED failure rejected dropped truncated false incomplete exception", FailedStatus},
		{plain, "timeout timed_out deadline_exceeded 408 504", FailedTimeout},
		{plain, "cancelled canceled aborted 499", FailedCancelled},
		{plain, "404 500 503 0 100 301", FailedHTTP},
		{plain, "moon 7 1000 -1 x200", UnknownStatus},
		{flag, "true TRUE t yes y 1 1.0", Good},
		{flag, "false f no n 0 0.0", FailedStatus},
		{flag, "ok 2 maybe", UnknownStatus},
		{inverted, "true yes 1", FailedStatus},
		{inverted, "false no 0", Good},
	} {
		for _, w := range strings.Fields(c.words) {
			if got := statusReason(" "+w+" ", c.b); got != c.want {
				t.Errorf("%q (%+v): %s, want %s", w, c.b, got.Code(), c.want.Code())
			}
		}
	}
}

func TestErrorWords(t *testing.T) {
	for _, w := range []string{"", " ", "null", "None", "nil", "NaN", "false", "0", "no", "-", "{}", "[]", "OK"} {
		if got := errorReason(w); got != Good {
			t.Errorf("%q: %s", w, got.Code())
		}
	}
	for w, want := range map[string]Reason{
		"connection reset": FailedError, "500": FailedError, "Read timed out.": FailedTimeout, "context deadline exceeded": FailedTimeout, "ClientTimeoutError": FailedTimeout,
		"request cancelled by client": FailedCancelled, "task cancellation": FailedCancelled, "true": FailedError,
	} {
		if got := errorReason(w); got != want {
			t.Errorf("%q: %s, want %s", w, got.Code(), want.Code())
		}
	}
}

func TestHTTPCodes(t *testing.T) {
	for code, want := range map[float64]Reason{200: Good, 299: Good, 199: FailedHTTP, 300: FailedHTTP, 408: FailedTimeout, 504: FailedTimeout, 499: FailedCancelled, 599: FailedHTTP, 600: UnknownStatus, 0: FailedHTTP, 99: UnknownStatus, -5: UnknownStatus} {
		if got := httpReason(code); got != want {
			t.Errorf("%v: %s, want %s", code, got.Code(), want.Code())
		}
	}
}

func TestPhaseWords(t *testing.T) {
	for words, want := range map[string]int{
		"profiling Measurement steady-state main run load": measuredPhase, "warmup Warm-Up warming rampUp cooldown ramp_down drain": warmupPhase, "moon lunch": unknownPhase,
	} {
		for _, w := range strings.Fields(words) {
			if got := phaseKind(w); got != want {
				t.Errorf("%q: %d, want %d", w, got, want)
			}
		}
	}
	if phaseKind("") != measuredPhase {
		t.Error("no phase is not measured")
	}
}

// Every reason has a code, a text and an outcome, and no two share a code.
func TestReasons(t *testing.T) {
	codes := map[string]bool{}
	var c Counts
	for r := Reason(0); r < NumReasons; r++ {
		if r.Code() == "" || r.Text() == "" || codes[r.Code()] {
			t.Errorf("reason %d: code %q, text %q", r, r.Code(), r.Text())
		}
		codes[r.Code()] = true
		if (r.Outcome() == OK) != (r == Good) {
			t.Errorf("%s leads to outcome %d", r.Code(), r.Outcome())
		}
		c[r] = int64(r) + 1
	}
	if sum := c.Of(OK) + c.Of(Failed) + c.Of(Rejected) + c.Of(Excluded); sum != c.Total() {
		t.Errorf("the outcomes are %d of %d", sum, c.Total())
	}
	twice := c
	twice.Add(&c)
	if twice.Total() != 2*c.Total() {
		t.Errorf("twice %d is %d", c.Total(), twice.Total())
	}
}
