package evals

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211

// fingerprint is FNV-1a over texts that are kept apart, 0 if all are empty: the
// same on every machine.
func fingerprint(texts ...string) uint64 {
	h, some := uint64(fnvOffset), false
	for _, s := range texts {
		some = some || s != ""
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * fnvPrime
		}
		h = (h ^ 0xff) * fnvPrime
	}
	switch {
	case !some:
		return 0
	case h == 0:
		return 1
	}
	return h
}

// textID names an item that has no id of its own by its text.
func textID(texts ...string) string {
	h := sha256.New()
	for _, s := range texts {
		h.Write([]byte(s))
		h.Write([]byte{0xff})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// occurrences numbers things that look alike by order of appearance.
type occurrences map[string]int

// next returns how often the key was seen before.
func (o occurrences) next(key ...string) int {
	k := strings.Join(key, "\xff")
	n := o[k]
	o[k] = n + 1
	return n
}

// item returns the id for the first thing that has it, and id#2, id#3 for those
// that follow.
func (o occurrences) item(id string) string {
	if n := o.next(id); n > 0 {
		return id + "#" + strconv.Itoa(n+1)
	}
	return id
}
