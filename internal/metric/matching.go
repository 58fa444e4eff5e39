package metric

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// MatchedWords are the words of a column that both sides have.
type MatchedWords struct {
	Both  int
	Alone [2]int // words of one side alone
	Has   func(word string) bool
}

// maxMatched is how many words of a side are told apart.
const maxMatched = 1 << 22

// MatchWords finds the words of a column that the requests of both sides have,
// successful or not. Words are told apart by a hash of 64 bits. More of a side than
// 2^22 are an error.
func MatchWords(ctx context.Context, sides []Input, column string, s Scan) (MatchedWords, error) {
	return matchWords(ctx, sides, column, s, maxMatched)
}

func matchWords(ctx context.Context, sides []Input, column string, s Scan, most int64) (MatchedWords, error) {
	looked := everyRecord(sides)
	s.Progress = nil
	plan := Plan{SkipTimes: true, Words: []string{column}}
	var all [2]wordSet
	_, _, err := s.scan(ctx, looked, &plan, func() worker { return &wordSetWorker{most: most, sets: &all} })
	if err != nil {
		return MatchedWords{}, err
	}
	for i := range all {
		if all[i].n.Load() > most {
			return MatchedWords{}, fmt.Errorf("column %s has more than %d words, which is too many to match", column, most)
		}
	}
	var m MatchedWords
	for i := range all[0].shards {
		for h := range all[0].shards[i].has {
			if all[1].contains(h) {
				m.Both++
			}
		}
	}
	m.Alone = [2]int{int(all[0].n.Load()) - m.Both, int(all[1].n.Load()) - m.Both}
	m.Has = func(word string) bool {
		h := sessionHash("", word)
		return all[0].contains(h) && all[1].contains(h)
	}
	return m, nil
}

// wordSet is a set of hashed words that all workers add to, so that its memory and
// its limit do not depend on how many they are.
type wordSet struct {
	n      atomic.Int64
	shards [1 << shardBits]struct {
		mu  sync.Mutex
		has map[uint64]struct{}
	}
}

const shardBits = 6

func shardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// contains is for a set that nobody adds to any more.
func (s *wordSet) contains(h uint64) bool {
	_, ok := s.shards[shardOf(h)].has[h]
	return ok
}

// add adds hashes, which it sorts, and returns how many the set has then.
func (s *wordSet) add(hashes []uint64) int64 {
	slices.Sort(hashes)
	for len(hashes) > 0 {
		at := shardOf(hashes[0])
		n := 0
		for n < len(hashes) && shardOf(hashes[n]) == at {
			n++
		}
		shard := &s.shards[at]
		shard.mu.Lock()
		if shard.has == nil {
			shard.has = map[uint64]struct{}{}
		}
		before := len(shard.has)
		for _, h := range hashes[:n] {
			shard.has[h] = struct{}{}
		}
		s.n.Add(int64(len(shard.has) - before))
		shard.mu.Unlock()
		hashes = hashes[n:]
	}
	return s.n.Load()
}

// wordSetWorker is the worker of MatchWords.
type wordSetWorker struct {
	most   int64
	sets   *[2]wordSet // by side, of all workers
	hashes []uint64
}

func (w *wordSetWorker) frame(side, _ int, f *ingest.Frame) error {
	w.hashes = w.hashes[:0]
	col, last := f.Words[0], int32(-1)
	for i := range f.N {
		id := code(col, i)
		if o := f.Reasons[i].Outcome(); id == last || id < 0 || col.Dict[id] == "" || o != ingest.OK && o != ingest.Failed {
			continue
		}
		last = id
		w.hashes = append(w.hashes, sessionHash("", col.Dict[id]))
	}
	if w.sets[side].add(w.hashes) > w.most {
		return errEnough // which file has the last word is up to the workers, and the error is none of it
	}
	return nil
}
