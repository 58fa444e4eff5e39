package ingest

import (
	"strconv"
	"strings"
)

// statusReason classifies a status word. A flag column holds yes or no.
func statusReason(word string, b Binding) Reason {
	w := strings.ToLower(strings.TrimSpace(word))
	if b.Flag {
		yes, known := truth(w)
		switch {
		case !known:
			return UnknownStatus
		case yes == b.Invert:
			return FailedStatus
		}
		return Good
	}
	switch w {
	case "ok", "success", "successful", "succeeded", "complete", "completed", "done", "finished", "pass", "passed", "true", "yes", "stop", "length", "eos", "good":
		return Good
	case "error", "errored", "fail", "failed", "failure", "rejected", "dropped", "incomplete", "truncated", "false", "no", "exception", "bad":
		return FailedStatus
	case "timeout", "timed_out", "timed out", "timedout", "deadline_exceeded":
		return FailedTimeout
	case "cancelled", "canceled", "aborted", "abort", "cancel", "interrupted":
		return FailedCancelled
	}
	if n, err := strconv.ParseFloat(w, 64); err == nil {
		return httpReason(n)
	}
	return UnknownStatus
}

// httpReason classifies an HTTP status code. Zero means that no answer came.
func httpReason(code float64) Reason {
	switch {
	case code >= 200 && code < 300:
		return Good
	case code == 408 || code == 504:
		return FailedTimeout
	case code == 499:
		return FailedCancelled
	case code == 0 || code >= 100 && code < 600:
		return FailedHTTP
	}
	return UnknownStatus
}

// errorReason classifies the content of an error column: anything but an
// empty or negative word is an error.
func errorReason(word string) Reason {
	w := strings.ToLower(strings.TrimSpace(word))
	switch w {
	case "", "null", "none", "nil", "nan", "false", "0", "0.0", "no", "-", "{}", "[]", "ok":
		return Good
	}
	switch {
	case strings.Contains(w, "timeout") || strings.Contains(w, "timed out") || strings.Contains(w, "deadline exceeded"):
		return FailedTimeout
	case strings.Contains(w, "cancelled") || strings.Contains(w, "canceled") || strings.Contains(w, "cancellation"):
		return FailedCancelled
	}
	return FailedError
}

func truth(w string) (yes, known bool) {
	switch w {
	case "true", "t", "yes", "y", "1", "1.0":
		return true, true
	case "false", "f", "no", "n", "0", "0.0":
		return false, true
	}
	return false, false
}

// Phase words.
const (
	measuredPhase = iota
	warmupPhase
	unknownPhase
)

func phaseKind(word string) int {
	switch NormalName(word) {
	case "", "profiling", "profile", "measure", "measured", "measurement", "main", "steady", "steady_state", "benchmark", "run", "load", "test":
		return measuredPhase
	case "warmup", "warm_up", "warming", "ramp", "ramp_up", "rampup", "cooldown", "cool_down", "drain", "ramp_down":
		return warmupPhase
	}
	return unknownPhase
}
