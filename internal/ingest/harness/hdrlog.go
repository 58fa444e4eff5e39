package harness

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// HdrLog reads the interval logs of HdrHistogram (.hlog) with histograms encoded
// as V2, compressed. All intervals of a log are one run; a tag names the metric
// (Tag=ttft_us), and an interval without one is of the metric latency. A log does
// not say in which unit its values are: the tag's suffix does, or --column.
//
// Whether the values were corrected for coordinated omission, and whether failed
// requests are among them, is not recorded. The percentile tables that wrk2 and
// HdrHistogram print are refused: they are not histograms that can be added.
var HdrLog = ingest.Format{Name: "hdrlog", Detect: func(head []byte, _ ingest.File) bool {
	return isHdrLog(head) || isHdrTable(head)
}, Open: openHdrLog}

func isHdrLog(head []byte) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("#[")) && !containsAll(head, hdrPrefix) {
		return false
	}
	return containsAll(head, "#[Histogram log format version") || containsAll(head, `"Interval_Compressed_Histogram"`) || containsAll(head, ","+hdrPrefix)
}

// isHdrTable tells the percentile distribution as text.
func isHdrTable(head []byte) bool {
	return containsAll(head, "Value", "Percentile", "TotalCount", "1/(1-Percentile)")
}

// hdrPrefix begins every V2 histogram that is compressed and encoded as base64.
const hdrPrefix = "HISTFAAA"

// maxHdrLine is the longest line of a log: the largest histogram of 5 digits
// takes some megabytes.
const maxHdrLine = 16 << 20

// maxHdrBuckets is how many buckets the histograms of all tags may have.
const maxHdrBuckets = 2 * maxHdrCounts

func openHdrLog(f ingest.File) (ingest.Source, error) {
	if head := fileHead(f); !isHdrLog(head) {
		if isHdrTable(head) {
			return nil, errors.New("the file is a table of percentiles as wrk2 and HdrHistogram print it, which cannot be merged; have the histograms themselves logged (HistogramLogWriter, a .hlog file) and give that log")
		}
		return nil, errors.New("the file is no interval log of HdrHistogram: no line ends in a histogram that begins with " + hdrPrefix)
	}
	out := &histograms{info: info{harness: "hdrhistogram"}}
	var tags []string
	byTag := map[string]*hdrCounts{}
	var one hdrCounts // of the line
	in := bufio.NewScanner(io.NewSectionReader(f, 0, f.Size))
	in.Buffer(make([]byte, 64<<10), maxHdrLine)
	line, intervals, buckets := 0, 0, 0
	budget := hdrUnpacked + hdrRatio*f.Size
	for in.Scan() {
		line++
		text := bytes.TrimSpace(bytes.TrimPrefix(in.Bytes(), []byte("\xef\xbb\xbf")))
		if len(text) == 0 || text[0] == '#' || text[0] == '"' {
			continue
		}
		tag, code, err := hdrInterval(string(text))
		if err == nil {
			err = one.decode(code, &budget)
		}
		if err == nil {
			intervals++
			have := byTag[tag]
			if have == nil {
				have = &hdrCounts{unitMagnitude: one.unitMagnitude, halfMagnitude: one.halfMagnitude}
				byTag[tag], tags = have, append(tags, tag)
			}
			buckets -= len(have.counts)
			err = have.add(&one)
			if buckets += len(have.counts); err == nil && buckets > maxHdrBuckets {
				err = fmt.Errorf("the histograms up to here, by tag, have more than %d buckets", maxHdrBuckets)
			}
		}
		if err != nil {
			return nil, &textio.Error{Line: int64(line), Msg: err.Error()}
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, &textio.Error{Line: int64(line + 1), Msg: fmt.Sprintf("the line is longer than %d MiB, the limit", maxHdrLine>>20)}
		}
		return nil, err
	}
	for _, tag := range tags {
		name := tag
		if name == "" {
			name = "latency"
		}
		hist, err := byTag[tag].histogram()
		if err != nil {
			return nil, fmt.Errorf("tag %q: %w", tag, err)
		}
		out.add(name, hist)
	}
	if len(out.columns) == 0 {
		return nil, fmt.Errorf("%w (%d intervals)", errNoValues, intervals)
	}
	return out, nil
}

// hdrInterval splits a line: an optional tag, start, length, maximum, histogram.
func hdrInterval(text string) (tag string, code string, err error) {
	if rest, ok := strings.CutPrefix(text, "Tag="); ok {
		var found bool
		if tag, text, found = strings.Cut(rest, ","); !found {
			return "", "", errors.New("nothing stands behind the tag")
		}
		if tag = strings.TrimSpace(tag); tag == "" || strings.ToValidUTF8(tag, "") != tag {
			return "", "", errors.New("the tag is empty or no text")
		}
	}
	fields := strings.Split(text, ",")
	if len(fields) != 4 {
		return "", "", fmt.Errorf("want start, length, maximum and histogram, found %d fields", len(fields))
	}
	for i, f := range fields[:3] {
		if v, err := strconv.ParseFloat(strings.TrimSpace(f), 64); err != nil || !finite(v) {
			return "", "", fmt.Errorf("want a number as %s of the interval, found %q", [...]string{"start", "length", "maximum"}[i], clip([]byte(f)))
		}
	}
	return tag, strings.Trim(strings.TrimSpace(fields[3]), `"`), nil
}

// decode reads one encoded histogram.
func (h *hdrCounts) decode(code string, budget *int64) error {
	raw, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		return fmt.Errorf("the histogram is not base64: %w", err)
	}
	body, err := inflateHdr(raw, budget)
	if err != nil {
		return err
	}
	return h.parse(body)
}
