package treecpd

import "math/bits"

// common counts the rows that a set has in common with a mask. The mask is compact: mask[i]
// is its word words[i], and all others are 0.
func common(words []int32, mask, set []uint64) (n int) {
	mask = mask[:len(words)]
	for i, w := range words {
		n += bits.OnesCount64(mask[i] & set[w])
	}
	return n
}
