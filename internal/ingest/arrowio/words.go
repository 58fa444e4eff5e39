package arrowio

import (
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// A dictionary page of at most so many words is handed on as it is, and a
	// dictionary that has grown by more starts anew: readers of a batch may
	// look at every word of its dictionary.
	maxWords = 2 * ingest.BatchRows
	// wordBlock is how many bytes of words are allocated at once.
	wordBlock = 64 << 10
)

// words is the dictionary of a text column while it is read: the words of the
// file's own dictionary, and those met outside of it.
type words struct {
	dict  []string
	page  []string // the file's dictionary
	remap []int32  // page word → dict word, −1 if not there; nil if dict begins with page
	index map[string]int32
	bits  map[int64]int32 // words that stand for numbers
	block strings.Builder

	gen    int // grows when ids change their meaning
	blanks int // empty words in dict
}

// setPage installs the file's dictionary.
func (w *words) setPage(page []string) {
	w.page, w.remap = page, nil
	if len(page) > maxWords {
		w.remap = make([]int32, len(page))
	}
	w.reset()
}

// fresh prepares for a batch; what was added for the batches before may go.
func (w *words) fresh() {
	fixed := len(w.page)
	if w.remap != nil {
		fixed = 0
	}
	if len(w.dict) > fixed+maxWords {
		w.reset()
	}
}

func (w *words) reset() {
	w.gen++
	w.blanks = 0
	clear(w.index)
	clear(w.bits)
	if w.remap != nil {
		w.dict = nil
		for i := range w.remap {
			w.remap[i] = -1
		}
		return
	}
	w.dict = append([]string(nil), w.page...)
	for _, s := range w.dict {
		if s == "" {
			w.blanks++
		}
	}
}

// few reports whether bytes can number the words, and ids of the page are those of
// dict.
func (w *words) few() bool { return w.remap == nil && len(w.dict) <= ingest.MaxFew }

// translate turns ids of the page into ids of dict.
func (w *words) translate(ids []int32) {
	if w.remap == nil {
		return
	}
	for i, id := range ids {
		if w.remap[id] < 0 {
			w.remap[id] = w.push(w.page[id])
		}
		ids[i] = w.remap[id]
	}
}

// add returns the id of a word of the text, a new one if it is new.
func (w *words) add(b []byte) int32 {
	if id, ok := w.index[string(b)]; ok {
		return id
	}
	if w.index == nil {
		w.index = make(map[string]int32)
	}
	s := w.keep(b)
	id := w.push(valid(s))
	w.index[s] = id
	return id
}

func (w *words) push(s string) int32 {
	if s == "" {
		w.blanks++
	}
	w.dict = append(w.dict, s)
	return int32(len(w.dict) - 1)
}

// keep copies b into the current block: one allocation for many words.
func (w *words) keep(b []byte) string {
	if len(b) > wordBlock/4 {
		return string(b)
	}
	if w.block.Len()+len(b) > w.block.Cap() {
		w.block = strings.Builder{}
		w.block.Grow(wordBlock)
	}
	n := w.block.Len()
	w.block.Write(b)
	return w.block.String()[n:]
}

// valid replaces bytes that are not UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// number returns the id of the word that stands for the number v, made by
// spell if it is new.
func (w *words) number(v int64, spell func([]byte, int64) []byte) int32 {
	if id, ok := w.bits[v]; ok {
		return id
	}
	if w.bits == nil {
		w.bits = make(map[int64]int32)
	}
	var buf [64]byte
	id := w.push(w.keep(spell(buf[:0], v)))
	w.bits[v] = id
	return id
}
