package pgmrt

import "strconv"

// HistoryFrame holds the histories of a slice that has passed, and how they came about.
type HistoryFrame struct {
	list  []float64     // of one history after the other: the state, the weight and the moments
	each  int           // numbers of a history
	edges []HistoryEdge // of one history after the other
	end   []int32       // by history, where its edges end
	kept  []int32       // scratch: by place in a Growth, the history there, plus 1
}

// Copy makes f the histories of the last slice of g that go on.
func (f *HistoryFrame) Copy(g *Growth) {
	f.each, f.list = 2+g.opt.Moments, g.appendTo(f.list[:0])
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
func (f *HistoryFrame) Size() int { return len(f.end) }

// List returns the numbers of all histories, which the caller must not change: of each the joint
// state of the discrete variables that persist, its probability and the moments.
func (f *HistoryFrame) List() []float64 { return f.list }

// History returns the joint state, the probability and the moments of a history, which the caller
// must not change.
func (f *HistoryFrame) History(i int) (state int, weight float64, moments []float64) {
	return history(f.list, f.each, i)
}

// ESS returns the effective sample size of the histories; see EffectiveHistories.
func (f *HistoryFrame) ESS() float64 { return EffectiveHistories(f.list, f.each) }

// Best returns the first history of the largest probability.
func (f *HistoryFrame) Best() (best int, weight float64, moments []float64) {
	for i := range f.end {
		if _, w, of := f.History(i); i == 0 || w > weight {
			best, weight, moments = i, w, of
		}
	}
	return best, weight, moments
}

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
	return 16*int64(cap(f.edges)) + 8*int64(cap(f.list)) + 4*int64(cap(f.end)+cap(f.kept))
}

// Store writes the histories to the belief of a filter, as that of Growth does.
func (f *HistoryFrame) Store(belief []float64) { clear(belief[copy(belief, f.list):]) }

// BackHistories goes back over slices along each history that remains after the last one. Start
// begins after that slice, and Over goes over one slice after the other.
type BackHistories struct {
	posteriors
	most int // histories with what follows them
	// now and rest have the histories of the slice and of the one before, with the moments after
	// each given all evidence.
	now, rest historyTable
	here      *HistoryFrame // the slice
	edges     []HistoryEdge // those of the history that are still to come
	of        int           // the history, as a place in now
	edge      HistoryEdge
	total     float64 // the weight of all edges of the history
}

// NewBackHistories returns the memory of going back, with at most a number of histories of a slice,
// each as often as there are different moments after it. The cards are those of newPosteriors.
func NewBackHistories(cards []int32, most int) *BackHistories {
	return &BackHistories{posteriors: *newPosteriors(cards), most: most}
}

// Start begins after the last slice, with the histories that it left.
func (b *BackHistories) Start(last *HistoryFrame) {
	if each := last.each - 2; b.now.slots == nil || b.now.each != each {
		b.now, b.rest = newHistoryTable(each, last.Size()), newHistoryTable(each, last.Size())
	}
	b.now.reset()
	for i := range last.Size() {
		_, w, moments := last.History(i)
		b.now.state, b.now.weight, b.now.moments = append(b.now.state, int32(i)), append(b.now.weight, w), append(b.now.moments, moments...)
	}
}

// begin begins a slice, of which here has the histories.
func (b *BackHistories) begin(here *HistoryFrame) {
	b.empty()
	b.rest.reset()
	b.here, b.edges, b.of = here, nil, -1
}

// Along enters a way to a history of the slice, and the moments after it, and runs x. There are no
// histories before slice 0.
func (x *HistoryProgram) Along(before *HistoryFrame, way HistoryEdge, after []float64) error {
	if x.State != nil {
		state, _, moments := before.History(int(way.From))
		x.enter(state, moments)
	}
	copy(x.After, after)
	if x.Element != nil {
		clear(x.Element)
		x.Element[way.Element] = 1
	}
	_, err := x.Run()
	return err
}

// Over goes back over a slice, of which here has the histories, along each way to one of them.
// There are no histories before slice 0. An error about too many histories wraps ErrHistories.
func (b *BackHistories) Over(x *HistoryProgram, here, before *HistoryFrame) error {
	b.begin(here)
	for b.next() {
		if err := x.Along(before, b.edge, b.now.at(b.of)); err != nil {
			return err
		}
		b.mixRun(x, b.edge.Weight, 1)
		if before != nil {
			if err := b.leave(x.Left); err != nil {
				return err
			}
		}
	}
	b.finish(x.Mix)
	b.now, b.rest = b.rest, b.now
	b.rest.grow(&b.now)
	return nil
}

// next goes to the next way to a history of the slice, and reports whether there is one. It begins
// a component of the posteriors.
func (b *BackHistories) next() bool {
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
			b.posteriors.begin(b.edge.Weight)
			return true
		}
	}
}

// leave enters the moments before the slice given all evidence, along the way. An error wraps
// ErrHistories.
func (b *BackHistories) leave(moments []float64) error {
	b.rest.moments = append(b.rest.moments, moments...)
	place, isNew := b.rest.place(b.edge.From)
	b.rest.weight[place] += b.edge.Weight
	if isNew && place == b.most {
		return backError(b.most)
	}
	return nil
}

// backError is the error of more histories on the way back than its number.
type backError int

// Error says how many there may be.
func (e backError) Error() string {
	return "there are more than " + strconv.Itoa(int(e)) + " histories with different posteriors after them; methods gpb2 and imm merge them"
}

// Unwrap returns ErrHistories.
func (backError) Unwrap() error { return ErrHistories }
