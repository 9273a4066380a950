package text

import "strconv"

// Identifiers gives each of different names an identifier of its own: the name itself where clean leaves it as it is, and
// otherwise what clean makes of it, with the first free number at its end where that is taken.
func Identifiers(names []string, clean func(string) string) []string {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		if clean(name) == name {
			taken[name] = true
		}
	}
	ids := make([]string, len(names))
	last := map[string]int{} // the number that was given to each base last
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
