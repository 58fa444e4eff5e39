package bootstrap

import "math/rand/v2"

// Stream returns the generator of replicate r under a seed: PCG-DXSM, its
// 128-bit state filled by the SplitMix64 finaliser (Steele, Lea & Flood 2014) of
// seed and r. Under one seed no two replicates share a state, and neighbouring
// replicates or seeds start far apart.
func Stream(seed, r uint64) *rand.Rand {
	pcg := new(rand.PCG)
	seedStream(pcg, seed, r)
	return rand.New(pcg)
}

// SubSeed derives the k-th seed of a family, for computations that need
// several independent sets of replicates from one seed given by the user.
func SubSeed(seed, k uint64) uint64 {
	return splitMix(splitMix(seed^0xd1b54a32d192ed03) + (k+1)*golden64)
}

const golden64 = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio

func seedStream(pcg *rand.PCG, seed, r uint64) {
	hi := splitMix(splitMix(seed) + (r+1)*golden64)
	pcg.Seed(hi, splitMix(hi^seed))
}

// splitMix is a bijection of the 64-bit integers.
func splitMix(z uint64) uint64 {
	z += golden64
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
