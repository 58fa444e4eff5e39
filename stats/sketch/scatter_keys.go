package sketch

import "encoding/binary"

// keyCounts counts keys.
type keyCounts [MaxScatter + 1]uint32

// keyBlock is how many keys are counted alike: in pairs where all are small.
const keyBlock = 1 << 9

// countKeys sets counts to those of keys. Four tables take turns, so that equal
// keys in a row do not wait for each other; two keys below 16 take one step.
func countKeys(counts *keyCounts, keys []uint8) {
	clear(counts[:])
	var singles, pairs [4]keyCounts
	alone, paired := false, false
	for len(keys) >= keyBlock {
		block := (*[keyBlock]uint8)(keys)
		if allSmall(block) {
			paired = true
			countPairs(&pairs, block)
		} else {
			alone = true
			countSingles(&singles, block)
		}
		keys = keys[keyBlock:]
	}
	for _, k := range keys {
		counts[k]++
	}
	if alone {
		for k := range counts {
			counts[k] += singles[0][k] + singles[1][k] + singles[2][k] + singles[3][k]
		}
	}
	if paired {
		for p := range pairs[0] {
			n := pairs[0][p] + pairs[1][p] + pairs[2][p] + pairs[3][p]
			counts[p&15] += n
			counts[p>>4] += n
		}
	}
}

// allSmall reports whether all keys are below 16.
func allSmall(keys *[keyBlock]uint8) bool {
	var or uint64
	for i := 0; i < len(keys); i += 8 {
		or |= binary.LittleEndian.Uint64(keys[i:])
	}
	return or&0xf0f0f0f0f0f0f0f0 == 0
}

func countPairs(counts *[4]keyCounts, keys *[keyBlock]uint8) {
	for i := 0; i < len(keys); i += 8 {
		x := binary.LittleEndian.Uint64(keys[i:])
		x |= x >> 4
		counts[0][uint8(x)]++
		counts[1][uint8(x>>16)]++
		counts[2][uint8(x>>32)]++
		counts[3][uint8(x>>48)]++
	}
}

func countSingles(counts *[4]keyCounts, keys *[keyBlock]uint8) {
	for i := 0; i < len(keys); i += 4 {
		k := (*[4]uint8)(keys[i:])
		counts[0][k[0]]++
		counts[1][k[1]]++
		counts[2][k[2]]++
		counts[3][k[3]]++
	}
}
