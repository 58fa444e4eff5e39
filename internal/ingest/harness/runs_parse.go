package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// configKeys are top-level members that say what a run was asked to do.
var configKeys = []string{"backend", "endpoint_type", "model_id", "tokenizer_id", "dataset_name", "request_rate",
	"max_concurrency", "burstiness", "num_prompts", "best_of", "ramp_up_strategy", "ramp_up_start_rps", "ramp_up_end_rps",
	"sharegpt_output_len", "random_input_len", "random_output_len", "random_range_ratio", "tag", "label", "mode", "max_model_len"}

// serverKeys are members of SGLang's server_info that say how a server was
// started.
var serverKeys = []string{"model_path", "version", "dtype", "quantization", "kv_cache_dtype", "tp_size", "dp_size", "pp_size", "ep_size",
	"attention_backend", "sampling_backend", "speculative_algorithm", "chunked_prefill_size", "max_running_requests",
	"mem_fraction_static", "schedule_policy", "disable_radix_cache", "device"}

// resultKeys are strings that are results and no configuration.
var resultKeys = []string{"date", "generated_text"}

const (
	maxRuns     = 10_000  // in a file
	maxRequests = 1 << 24 // of a run, and of all runs of a file
	maxErrors   = 4096    // different error texts that are told apart
	maxSessions = 1 << 20 // different sessions; with more of them the column is left out
)

// readRun reads the object of one run.
func readRun(r *jsonReader) *run {
	r.peek()
	u := &run{off: r.pos(), config: map[string]string{}, completed: missing}
	sessions := words{}
	r.object(func(key []byte) {
		name := string(key)
		a, isArray := arrayNames[name]
		switch c := r.peek(); {
		case isArray && c == '[':
			u.readArray(r, a, name)
		case name == "itls" && c == '[':
			u.readGaps(r)
		case name == "errors" && c == '[':
			u.errs, u.errWords = nil, words{}
			u.errWords.id(nil)
			r.array(func() {
				if u.errs = append(u.errs, errorID(&u.errWords, firstLine(r.string()))); len(u.errs) > maxRequests {
					r.fail(fmt.Sprintf("at most %d requests", maxRequests))
				}
			})
		case name == "session_ids" && c == '[':
			r.array(func() {
				if id := r.string(); len(sessions.list) <= maxSessions {
					u.sessions = append(u.sessions, sessions.id([]byte(id)))
				}
			})
		case name == "failed_requests" && c == '[':
			u.readFailures(r)
		case name == "server_info" && c == '{':
			r.object(func(key []byte) {
				if k := string(key); slices.Contains(serverKeys, k) {
					u.setConfig("server."+k, r)
				}
			})
		case name == "completed":
			u.completed, _ = r.float()
		case name == "aggregation_method":
			u.merged = r.string()
		case slices.Contains(configKeys, name):
			u.setConfig(name, r)
		case c == '"' && !slices.Contains(resultKeys, name) && len(u.config) < 100:
			u.setConfig(name, r) // what the user added with --metadata
		case strings.HasPrefix(name, "mean_") || strings.HasPrefix(name, "median_"):
			u.aggregates = true
		}
	})
	if u.sessionWords = sessions.list; len(sessions.list) > maxSessions {
		u.sessions, u.sessionWords = nil, nil
	}
	if r.err == nil {
		u.checkLengths(r)
	}
	return u
}

func (u *run) setConfig(key string, r *jsonReader) {
	if s := r.string(); s != "" && s != "null" {
		if len(s) > maxPrint {
			s = strings.ToValidUTF8(s[:maxPrint], "")
		}
		u.config[key] = s
	}
}

func (u *run) readArray(r *jsonReader, a int, name string) {
	u.arrays[a], u.names[a] = numbers{}, name
	l := &u.arrays[a]
	r.array(func() {
		v, ok := r.float()
		if !ok {
			v = malformed
		}
		if l.add(v); l.n > maxRequests {
			r.fail(fmt.Sprintf("at most %d requests", maxRequests))
		}
	})
}

// readGaps reads the list of the lists of gaps, or a list of mean gaps.
func (u *run) readGaps(r *jsonReader) {
	u.gapAt, u.gapLen, u.gapSum, u.meanGap, u.gapAll, u.gapEqual = nil, numbers{}, numbers{}, false, 0, 0
	scalars := 0
	r.array(func() {
		if u.gapLen.n%ingest.BatchRows == 0 {
			u.gapAt = append(u.gapAt, r.pos())
		}
		if r.peek() != '[' {
			v, ok := r.float()
			if !ok {
				v = malformed
			}
			if scalars++; !isMissing(v) {
				u.meanGap = true
			}
			u.gapLen.add(0)
			u.gapSum.add(v)
			return
		}
		n, sum, last := 0, 0.0, -1.0
		r.array(func() {
			v, ok := r.float()
			if !ok || isMissing(v) {
				v = malformed
			}
			if v == last && v > 0 {
				u.gapEqual++
			}
			last = v
			n++
			sum += v
		})
		u.gapAll += n
		u.gapLen.add(float64(n))
		if u.gapSum.add(sum); u.gapSum.n > maxRequests {
			r.fail(fmt.Sprintf("at most %d requests", maxRequests))
		}
	})
	if u.meanGap && scalars < u.gapLen.n && r.err == nil {
		r.err = &fault{off: u.off, msg: "the array itls holds lists of gaps and mean gaps; expected one kind"}
	}
}

// readFailures reads the list of failed requests that the Rust client writes.
func (u *run) readFailures(r *jsonReader) {
	u.failures = map[int]string{}
	r.array(func() {
		index, text := -1, ""
		r.object(func(key []byte) {
			switch string(key) {
			case "index":
				if v, ok := r.float(); ok && v >= 0 && v < 1<<31 {
					index = int(v)
				}
			case "error":
				text = firstLine(r.string())
			}
		})
		if text == "" {
			text = "failed"
		}
		if index >= 0 {
			u.failures[index] = text
		}
	})
}

func errorID(w *words, text string) int32 {
	if len(w.list) >= maxErrors && text != "" {
		if _, known := w.index[text]; !known {
			text = "another error"
		}
	}
	return w.id([]byte(text))
}

// checkLengths checks that all arrays have an element for every request. An
// empty array is as good as none.
func (u *run) checkLengths(r *jsonReader) {
	first := ""
	check := func(name string, n int) {
		switch {
		case n == 0 || r.err != nil:
		case u.n == 0:
			u.n, first = n, name
		case n != u.n:
			r.err = &fault{off: u.off, msg: fmt.Sprintf("the array %s has %d elements, %s has %d; expected one of each for every request", name, n, first, u.n)}
		}
	}
	for a := range u.arrays {
		check(u.names[a], u.arrays[a].n)
	}
	check("itls", u.gapLen.n)
	check("errors", len(u.errs))
	check("session_ids", len(u.sessions))
}
