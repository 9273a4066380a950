package diag

import (
	"strconv"
	"strings"
)

// nearestTo returns the name of known that word is most likely a misspelling of. It reports false
// if none is near enough: within a third of the word's letters, at least one and at most three
// changes. A change inserts, deletes or replaces a letter, or swaps two neighbours (Damerau 1964).
// A difference only in case is no change, and a single letter is near no other. Ties go to the
// first of known.
func nearestTo(word string, known []string) (name string, ok bool) {
	w := []rune(strings.ToLower(word))
	best := min(max(1, len(w)/3), 3) + 1
	if len(w) == 1 {
		best = 1
	}
	for _, k := range known {
		r := []rune(strings.ToLower(k))
		if d := len(r) - len(w); d >= best || -d >= best {
			continue // at least as many changes as the difference in length
		}
		if d := distance(w, r); d < best {
			best, name, ok = d, k, true
		}
	}
	return name, ok
}

// DidYouMean returns `; did you mean "smoke"?` for the end of a message if word is near one of
// known (see [nearestTo]), and "" otherwise. Of a name with a comma word may be the first part.
func DidYouMean(word string, known []string) string {
	for _, name := range known {
		if strings.HasPrefix(name, word+",") && word != "" {
			return "; did you mean " + strconv.Quote(name) + "? A name with a comma goes into quotes"
		}
	}
	name, ok := nearestTo(word, known)
	if !ok {
		return ""
	}
	return "; did you mean " + strconv.Quote(name) + "?"
}

// distance returns the number of changes from a to b, which change no letter twice (optimal
// string alignment).
func distance(a, b []rune) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(last[j]+cost, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
