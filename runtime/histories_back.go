package pgmrt

import "strconv"

// HistoryFrame holds the histories of a slice that has passed, and how they came about.
type HistoryFrame struct {
	state   []int32
	weight  []float64
	moments []float64
	each    int           // numbers of moments of a history
	edges   []HistoryEdge // of one history after the other
	end     []int32       // by history, where its edges end
	kept    []int32       // scratch: by place in a Growth, the history there, plus 1
}

// Copy makes f the histories of the last slice of g that go on.
func (f *HistoryFrame) Copy(g *Growth) {
	f.each = g.opt.Moments
	f.state, f.weight, f.moments = f.state[:0], f.weight[:0], f.moments[:0]
	for i := range g.kept {
		state, weight, moments := g.History(i)
		f.state, f.weight, f.moments = append(f.state, state), append(f.weight, weight), append(f.moments, moments...)
	}
	f.sort(g)
}

// sort sets the edges to those of g, by history.
func (f *HistoryFrame) sort(g *Growth) {
	f.kept, f.end = zeros(f.kept, len(g.next.state)), zeros(f.end, len(g.kept))
	for i, place := range g.kept {
		f.kept[place] = int32(i + 1)
	}
	n := 0
	for _, x := range g.ways {
		if i := f.kept[x.place]; i > 0 {
			f.end[i-1]++
			n++
		}
	}
	from := int32(0) // until they are filled in, end says where edges begin
	for i, count := range f.end {
		f.end[i] = from
		from += count
	}
	if cap(f.edges) < n {
		f.edges = make([]HistoryEdge, n, 2*n)
	}
	f.edges = f.edges[:n]
	for _, x := range g.ways {
		if i := f.kept[x.place]; i > 0 {
			f.edges[f.end[i-1]] = x.edge
			f.end[i-1]++
		}
	}
}

// zeros returns n zeros in the memory of list, if it suffices.
func zeros(list []int32, n int) []int32 {
	if cap(list) < n {
		return make([]int32, n, 2*n)
	}
	list = list[:n]
	clear(list)
	return list
}

// Size returns the number of histories.
func (f *HistoryFrame) Size() int { return len(f.state) }

// State returns the joint state of the discrete variables that persist.
func (f *HistoryFrame) State(i int) int32 { return f.state[i] }

// Weight returns the probability of history i.
func (f *HistoryFrame) Weight(i int) float64 { return f.weight[i] }

// Weights returns the probabilities of all histories, which the caller must not change.
func (f *HistoryFrame) Weights() []float64 { return f.weight }

// Best returns the first history of the largest probability.
func (f *HistoryFrame) Best() int {
	best := 0
	for i, w := range f.weight {
		if w > f.weight[best] {
			best = i
		}
	}
	return best
}

// Moments returns the moments of history i, which the caller must not change.
func (f *HistoryFrame) Moments(i int) []float64 { return f.moments[i*f.each:][:f.each] }

// Edges returns the ways in which history i came about, if the Growth recalled them. The caller
// must not change them.
func (f *HistoryFrame) Edges(i int) []HistoryEdge {
	from := int32(0)
	if i > 0 {
		from = f.end[i-1]
	}
	return f.edges[from:f.end[i]]
}

// Bytes returns how many bytes f takes.
func (f *HistoryFrame) Bytes() int64 {
	return 16*int64(cap(f.edges)) + 8*int64(cap(f.weight)+cap(f.moments)) + 4*int64(cap(f.state)+cap(f.end)+cap(f.kept))
}

// Store writes the histories to the belief of a filter, as that of Growth does.
func (f *HistoryFrame) Store(belief []float64) {
	rest := belief
	for i := range f.state {
		rest[0], rest[1] = float64(f.state[i]), f.weight[i]
		copy(rest[2:], f.Moments(i))
		rest = rest[2+f.each:]
	}
	clear(rest)
}

// BackHistories goes back over slices along each history that remains after the last one. Start
// begins after that slice, and each slice with Slice. Next then goes from one way to a history of
// the slice to the next: the caller mixes the posteriors of the slice along it, and calls Leave.
// Enter goes to the slice before.
type BackHistories struct {
	Posteriors
	most int // histories with what follows them
	// now and next have the histories of the slice and of the one before, with the moments after
	// each given all evidence.
	now, next historyTable
	here      *HistoryFrame // the slice
	edges     []HistoryEdge // those of the history that are still to come
	of        int           // the history, as a place in now
	edge      HistoryEdge
	total     float64 // the weight of all edges of the history
}

// NewBackHistories returns the memory of going back, with at most a number of histories of a slice,
// each as often as there are different moments after it. The cards are those of NewPosteriors.
func NewBackHistories(cards []int32, most int) *BackHistories {
	return &BackHistories{Posteriors: *NewPosteriors(cards), most: most}
}

// Start begins after the last slice, with the histories that it left.
func (b *BackHistories) Start(last *HistoryFrame) {
	if b.now.slots == nil || b.now.each != last.each {
		b.now, b.next = newHistoryTable(last.each, last.Size()), newHistoryTable(last.each, last.Size())
	}
	b.now.reset()
	for i, w := range last.weight {
		b.now.state, b.now.weight = append(b.now.state, int32(i)), append(b.now.weight, w)
	}
	b.now.moments = append(b.now.moments, last.moments...)
}

// Slice begins a slice, of which here has the histories.
func (b *BackHistories) Slice(here *HistoryFrame) {
	b.Clear()
	b.next.reset()
	b.here, b.edges, b.of = here, nil, -1
}

// Next goes to the next way to a history of the slice, and reports whether there is one. It begins
// a component of the posteriors.
func (b *BackHistories) Next() bool {
	for {
		for len(b.edges) == 0 {
			if b.of++; b.of == len(b.now.state) {
				return false
			}
			b.edges = b.here.Edges(int(b.now.state[b.of]))
			b.total = 0
			for _, x := range b.edges {
				b.total += x.Weight
			}
		}
		b.edge, b.edges = b.edges[0], b.edges[1:]
		if b.edge.Weight = b.now.weight[b.of] * (b.edge.Weight / b.total); b.edge.Weight > 0 {
			b.Begin(b.edge.Weight)
			return true
		}
	}
}

// Edge returns the way, with its probability given all evidence.
func (b *BackHistories) Edge() HistoryEdge { return b.edge }

// After returns the moments after the slice given all evidence, which the caller must not change.
func (b *BackHistories) After() []float64 { return b.now.at(b.of) }

// Leave enters the moments before the slice given all evidence, along the way. An error wraps
// ErrHistories.
func (b *BackHistories) Leave(moments []float64) error {
	b.next.moments = append(b.next.moments, moments...)
	place, isNew := b.next.place(b.edge.From)
	b.next.weight[place] += b.edge.Weight
	if isNew && place == b.most {
		return backError(b.most)
	}
	return nil
}

// Enter goes to the slice before. Both lists have the same room, so that it does not depend on the
// number of slices which of them has to grow.
func (b *BackHistories) Enter() {
	b.now, b.next = b.next, b.now
	b.next.grow(&b.now)
}

// backError is the error of more histories on the way back than its number.
type backError int

// Error says how many there may be.
func (e backError) Error() string {
	return "there are more than " + strconv.Itoa(int(e)) + " histories with different posteriors after them; methods gpb2 and imm merge them"
}

// Unwrap returns ErrHistories.
func (backError) Unwrap() error { return ErrHistories }
