package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// eachGuide walks over the requests of one benchmark.
func eachGuide(s *scan, r *jsonReader, b *guideBench, run string) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		if string(key) != "requests" || r.peek() != '{' {
			return
		}
		r.object(func(key []byte) {
			list := string(key)
			if r.peek() != '[' || list == "total" {
				return
			}
			r.array(func() {
				g := guideRequest{w: &s.row, latency: missing, ttftMS: missing}
				at := r.pos()
				if g.read(r); !g.hasStart && !g.hasEnd {
					s.known(r, at)
				}
				g.finish(b, list)
				if run != "" {
					s.row.setWord(colRun, run)
				}
				s.put(r)
			})
		})
	})
}

// guideRequest reads one request.
type guideRequest struct {
	w                                      *row
	start, first, firstOut, last, end, aim int64
	hasStart, hasFirst, hasOut, hasLast    bool
	hasEnd, hasAim, cancelled              bool
	errText                                string
	latency, ttftMS                        float64
}

func (g *guideRequest) read(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	stamp := func(at *int64, has *bool, wins bool) {
		if ns, ok := r.nanos(ingest.Second); ok && (wins || !*has) {
			*at, *has = ns, true
		}
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "info", "timings", "scheduler_info", "request_timings":
			g.read(r)
		case "request_id":
			r.text(g.w, colRequestID)
		case "conversation_id":
			r.text(g.w, colSession)
		case "turn_index":
			r.number(g.w, colTurn, ingest.One)
		case "targeted_start", "targeted_start_time":
			stamp(&g.aim, &g.hasAim, false)
		case "request_start":
			stamp(&g.start, &g.hasStart, true)
		case "start_time", "request_start_time":
			stamp(&g.start, &g.hasStart, false)
		case "first_token_iteration", "first_token_time":
			stamp(&g.first, &g.hasFirst, true)
		case "first_output_token_iteration":
			stamp(&g.firstOut, &g.hasOut, true)
		case "last_token_iteration", "last_token_time":
			stamp(&g.last, &g.hasLast, true)
		case "request_end":
			stamp(&g.end, &g.hasEnd, true)
		case "end_time", "request_end_time":
			stamp(&g.end, &g.hasEnd, false)
		case "request_latency":
			g.latency, _ = r.float()
		case "time_to_first_token_ms":
			g.ttftMS, _ = r.float()
		case "prompt_tokens":
			r.number(g.w, colPromptTokens, ingest.One)
		case "output_tokens":
			r.number(g.w, colOutputTokens, ingest.One)
		case "cached_tokens":
			r.number(g.w, colCachedTokens, ingest.One)
		case "canceled":
			g.cancelled = r.truth() || g.cancelled
		case "error":
			if r.peek() == '"' {
				g.errText = firstLine(r.string())
			}
		}
	})
}

func (g *guideRequest) finish(b *guideBench, list string) {
	w := g.w
	if g.hasStart {
		w.setTime(colStart, g.start)
		if g.hasAim && (b.kind == "constant" || b.kind == "poisson" || b.kind == "async") {
			w.setTime(colScheduled, g.aim)
		}
		if g.hasFirst {
			w.setNumber(colTTFT, seconds(g.start, g.first))
		}
		if g.hasOut && g.firstOut != g.first {
			w.setNumber(colTTFO, seconds(g.start, g.firstOut))
		}
	}
	switch {
	case g.hasStart && g.hasLast:
		w.setNumber(colE2E, seconds(g.start, g.last))
	case !isMissing(g.latency):
		w.setNumber(colE2E, g.latency)
	case g.hasStart && g.hasEnd:
		w.setNumber(colE2E, seconds(g.start, g.end))
	}
	if !w.has.has(colTTFT) && !isMissing(g.ttftMS) {
		w.setNumber(colTTFT, ingest.Millisecond.ToBase(g.ttftMS))
	}
	if b.windowed {
		switch {
		case g.hasEnd && g.end < b.from:
			w.setWord(colPhase, "warmup")
		case g.hasStart && b.to != 0 && g.start > b.to:
			w.setWord(colPhase, "cooldown")
		default:
			w.setWord(colPhase, "measure")
		}
	}
	if b.stage != "" {
		w.setWord(colStage, b.stage)
	}
	if !isMissing(b.rate) {
		w.setNumber(colRate, b.rate)
	}
	if !isMissing(b.streams) {
		w.setNumber(colConcurrency, b.streams)
	}
	if g.errText != "" {
		w.setWord(colError, g.errText)
	}
	switch list {
	case "successful":
		w.zeroFails("the answer is empty")
	case "incomplete":
		w.fail(statusIncomplete)
	default:
		status := statusOf(g.errText)
		if g.cancelled {
			status = statusCancelled
		}
		w.fail(status)
	}
}
