package pgmrt

// ObserveSet multiplies l, the likelihood of one variable, by the likelihood of a set of its
// states: states outside the set become impossible. The set has one bit a state, 64 in a word,
// lowest first; no bits mean no restriction. ObserveSet reports whether all bits are of states; if
// not, l does not change.
func ObserveSet(l []float64, set ...uint64) bool {
	some := false
	for i, word := range set {
		if rest := len(l) - 64*i; rest < 64 && word>>max(rest, 0) != 0 {
			return false
		}
		some = some || word != 0
	}
	if !some {
		return true
	}
	for s := range l {
		if set[s/64]>>(s%64)&1 == 0 {
			l[s] = 0
		}
	}
	return true
}
