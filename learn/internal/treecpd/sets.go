package treecpd

import "math/bits"

// common counts the rows that a set has in common with a mask, of which only some words are kept.
func common(words []int32, mask, set []uint64) (n int) {
	mask = mask[:len(words)]
	for i, w := range words {
		n += bits.OnesCount64(mask[i] & set[w])
	}
	return n
}
