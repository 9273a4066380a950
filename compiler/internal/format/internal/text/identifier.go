package text

import "strconv"

// Identifiers returns an identifier for each of the names, which differ. It is clean(name), with
// the first free number at its end if that is taken. A name that clean leaves as it is keeps it.
func Identifiers(names []string, clean func(string) string) []string {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		if clean(name) == name {
			taken[name] = true
		}
	}
	ids := make([]string, len(names))
	last := map[string]int{} // the last number used with each base
	for i, name := range names {
		id := name
		if base := clean(name); base != name {
			for id = base; taken[id]; id = base + "_" + strconv.Itoa(last[base]) {
				last[base] = max(2, last[base]+1)
			}
			taken[id] = true
		}
		ids[i] = id
	}
	return ids
}
