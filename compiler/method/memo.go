package method

import "slices"

// remembered is the most results that a Memo holds, of the latest searches.
const remembered = 8

// Memo holds the results of the latest searches of methods, since a compilation may plan the same
// problem several times, as when it estimates what would fit. The zero value is empty.
type Memo struct{ list []remembrance }

// remembrance is a search with its result.
type remembrance struct {
	key    string
	result any
}

// Recall returns what search returned when it was called for the same key, or calls it.
func (m *Memo) Recall(key string, search func() any) any {
	for _, x := range m.list {
		if x.key == key {
			return x.result
		}
	}
	if len(m.list) == remembered {
		m.list = slices.Delete(m.list, 0, 1)
	}
	r := search()
	m.list = append(m.list, remembrance{key, r})
	return r
}
