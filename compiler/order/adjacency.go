package order

import "slices"

// adjacency holds the edges of a graph.
type adjacency interface {
	join(a, b int)
	neighbours(v int, buf []int) []int // ascending
	// crowded reports whether v has too many neighbours to be worth looking at.
	crowded(v int) bool
	// eliminate joins the neighbours nb of v with each other and removes v. It reports whether
	// there may be new edges.
	eliminate(v int, nb []int) bool
	// fill is the weight of the edges that eliminating v would add, or their number if w is nil; nb
	// are v's neighbours.
	fill(v int, nb []int, w *edgeWeights) float64
	// near calls f for each vertex that has an edge to one of vs, in any order, perhaps more than
	// once.
	near(vs []int, f func(v int))
	// work returns the work of all calls of fill, in words looked at; known results count as if
	// they were not known.
	work() int
	clone() adjacency // its work is 0
	equal(a adjacency) bool
}

// denseVertices is the number of vertices up to which edges are a bit matrix, of 2 MiB then.
// Beyond, they are lists, which take memory in proportion to the edges.
const denseVertices = 4096

func newAdjacency(n int) adjacency {
	if n <= denseVertices {
		words := (n + 63) / 64
		return &matrix{words: words, bits: make([]uint64, n*words)}
	}
	return &lists{of: make([][]int32, n), gone: make([]bool, n), degree: make([]int, n), mark: make([]int, n)}
}

// lists holds ascending lists of neighbours. Vertices that are gone stay in a list until it is
// read.
type lists struct {
	of     [][]int32
	gone   []bool
	degree []int // neighbours that are not gone
	mark   []int // by vertex: the last call of fill that marked it
	calls  int
	looked int // edges that fill has looked at
}

func (l *lists) work() int { return l.looked }

// hub is the number of neighbours beyond which a bucket is larger than hopelessBucket even if each
// neighbour has two states, so that the vertex is eliminated only after it has lost some. Scores of
// hubs are not updated, because they would change each time a hub loses a neighbour.
const hub = 64

func (l *lists) clone() adjacency {
	c := &lists{make([][]int32, len(l.of)), slices.Clone(l.gone), slices.Clone(l.degree), make([]int, len(l.of)), 0, 0}
	for v := range l.of {
		c.of[v] = slices.Clone(l.of[v])
	}
	return c
}

func (l *lists) equal(a adjacency) bool {
	other, ok := a.(*lists)
	return ok && slices.EqualFunc(l.of, other.of, slices.Equal[[]int32])
}

func (l *lists) join(a, b int) {
	if l.insert(a, b) {
		l.insert(b, a)
	}
}

func (l *lists) insert(a, b int) bool {
	i, found := slices.BinarySearch(l.of[a], int32(b))
	if !found {
		l.of[a] = slices.Insert(l.of[a], i, int32(b))
		l.degree[a]++
	}
	return !found
}

func (l *lists) crowded(v int) bool { return l.degree[v] > hub }

func (l *lists) neighbours(v int, buf []int) []int {
	if len(l.of[v]) > l.degree[v] {
		l.of[v] = slices.DeleteFunc(l.of[v], func(u int32) bool { return l.gone[u] })
	}
	buf = buf[:0]
	for _, u := range l.of[v] {
		buf = append(buf, int(u))
	}
	return buf
}

func (l *lists) eliminate(v int, nb []int) (added bool) {
	for i, a := range nb {
		l.degree[a]--
		for _, b := range nb[:i] {
			if _, found := slices.BinarySearch(l.of[a], int32(b)); !found {
				l.join(a, b)
				added = true
			}
		}
	}
	l.gone[v], l.of[v], l.degree[v] = true, nil, 0
	return added
}

func (l *lists) fill(v int, nb []int, w *edgeWeights) float64 {
	total := 0.0
	for i, a := range nb {
		adjacent := l.tester(a, nb)
		l.looked += i
		for _, b := range nb[:i] {
			switch {
			case adjacent(b):
			case w == nil:
				total++
			default:
				total += w.weight(a, b)
			}
		}
	}
	return total
}

// tester returns a test of whether vertices of nb are neighbours of a. The test is valid until the
// next call.
func (l *lists) tester(a int, nb []int) func(b int) bool {
	if len(l.of[a]) > 8*len(nb) {
		return func(b int) bool {
			_, found := slices.BinarySearch(l.of[a], int32(b))
			return found
		}
	}
	l.calls++
	l.looked += len(l.of[a])
	for _, b := range l.of[a] {
		l.mark[b] = l.calls
	}
	return func(b int) bool { return l.mark[b] == l.calls }
}

func (l *lists) near(vs []int, f func(v int)) {
	for _, v := range vs {
		f(v)
		if l.crowded(v) {
			continue
		}
		for _, u := range l.of[v] {
			if !l.gone[u] {
				f(int(u))
			}
		}
	}
}
