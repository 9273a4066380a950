package pgmrt

import (
	"errors"
	"math"
	"strconv"
)

// ErrHistories reports a belief with more histories than a filter keeps, which none may be left out
// of.
var ErrHistories = errors.New("too many histories")

// HistoriesBeyond is what happens to more histories than are kept.
type HistoriesBeyond uint8

// What happens to more histories than are kept: the slice fails, the least probable are left out,
// or as many as are kept are drawn, each on average as often as its probability says.
const (
	HistoriesRefuse HistoriesBeyond = iota
	HistoriesDrop
	HistoriesDraw
)

// HistoryOptions describe a belief that is a mixture over histories of discrete states, with
// moments of the real variables that persist for each.
type HistoryOptions struct {
	Most       int // histories to keep
	Beyond     HistoriesBeyond
	Resampling Scheme  // of drawing
	States     int     // joint states of the discrete variables that persist
	Moments    int     // numbers of moments of a history
	Cards      []int32 // by variable of the posteriors: its number of states, or 0 if it is real
	Best       bool    // histories that are one have the larger weight, not the sum of weights
}

// Growth collects what the histories before a slice lead to. A slice begins with Reset. The caller
// runs it for each history and calls Enter. If the history counts, it mixes its posteriors, and
// adds the histories that follow by Leave. Keep then chooses those that go on.
//
// Histories with the same state and moments, bit by bit, are one: this happens if the real
// variables are observed, since an observed variable has exactly its value.
type Growth struct {
	Posteriors
	opt     HistoryOptions
	next    historyList
	slots   []int32    // a hash table of places in next, plus 1
	most    float64    // weights are relative to exp(most)
	squares [3]float64 // sums of u², uw and w² of the weights u before the slice and w after it

	kept   []int32 // places in next of the histories that go on
	share  []float64
	random []float64 // scratch of Resample, and weights that drop sorts
}

// historyList holds histories: their states, weights, and moments one after the other.
type historyList struct {
	state   []int32
	weight  []float64
	moments []float64
}

// NewGrowth returns the memory of steps, with room for a number of histories that follow from those
// of a slice; more of them allocate.
func NewGrowth(opt HistoryOptions, room int) *Growth {
	g := &Growth{Posteriors: *NewPosteriors(opt.Cards), opt: opt}
	g.next = historyList{make([]int32, 0, room), make([]float64, 0, room), make([]float64, 0, room*opt.Moments+opt.Moments)}
	size := 16
	for size < 2*(room+1) {
		size *= 2
	}
	g.slots, g.kept, g.share = make([]int32, size), make([]int32, 0, room), make([]float64, 0, room)
	if opt.Beyond != HistoriesRefuse {
		g.random = make([]float64, 0, max(room, opt.Most))
	}
	return g
}

// Reset begins a slice.
func (g *Growth) Reset() {
	g.Clear()
	g.next = historyList{g.next.state[:0], g.next.weight[:0], g.next.moments[:0]}
	clear(g.slots)
	g.most, g.squares = math.Inf(-1), [3]float64{}
}

// Enter enters a history with the logarithm of its weight after the slice and the weight that it
// had before. It returns its weight relative to those of the others, 0 if it does not count, and
// what the weights so far were multiplied by.
func (g *Growth) Enter(log, before float64) (weight, by float64) {
	by = 1
	if math.IsInf(log, -1) {
		return 0, by
	}
	if log > g.most {
		by = math.Exp(g.most - log)
		g.rescale(by)
		g.most = log
	}
	if weight = math.Exp(log - g.most); weight == 0 {
		return 0, by
	}
	g.squares[0] += float64(before * before)
	g.squares[1] += float64(before * weight)
	g.squares[2] += float64(weight * weight)
	g.Begin(weight)
	return weight, by
}

// rescale multiplies the weights so far.
func (g *Growth) rescale(by float64) {
	g.Multiply(by)
	for i := range g.next.weight {
		g.next.weight[i] *= by
	}
	g.squares[1] *= by
	g.squares[2] *= by * by
}

// Leave adds all histories that follow from the last one that was entered. The probabilities are
// those of the elements that leave the slice; of moments, the first number of each element comes
// first, then the second of each.
func (g *Growth) Leave(probabilities, moments []float64) {
	for k, p := range probabilities {
		if w := p * g.weight; w > 0 {
			g.Add(k, len(probabilities), w, moments)
		}
	}
}

// Add adds the history of one of n elements, of which those of a joint state are together. If there
// is one with the same state and moments, its weight grows instead. Add returns the place of the
// history, and whether it is new: with Best also if it has taken the place of one of less weight.
func (g *Growth) Add(element, n int, weight float64, moments []float64) (place int, isNew bool) {
	l, place := &g.next, len(g.next.state)
	for at := element; at < len(moments); at += n {
		l.moments = append(l.moments, moments[at])
	}
	state := int32(element / (n / g.opt.States))
	slot := g.slot(state, l.moments[place*g.opt.Moments:])
	if at := int(g.slots[slot]) - 1; at >= 0 {
		l.moments = l.moments[:place*g.opt.Moments]
		if !g.opt.Best {
			l.weight[at] += weight
			return at, false
		}
		better := weight > l.weight[at]
		l.weight[at] = max(l.weight[at], weight)
		return at, better
	}
	l.state, l.weight = append(l.state, state), append(l.weight, weight)
	if g.slots[slot] = int32(place + 1); 2*len(l.state) > len(g.slots) {
		g.rehash()
	}
	return place, true
}

// slot returns the place in the hash table of the history with a state and moments, or a free one
// for it.
func (g *Growth) slot(state int32, moments []float64) int {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	hash := (uint64(state) + 1) * odd
	for _, x := range moments {
		hash = (hash ^ math.Float64bits(x)) * odd
		hash ^= hash >> 29
	}
	mask := len(g.slots) - 1
	for k := int(hash>>32) & mask; ; k = (k + 1) & mask {
		at := int(g.slots[k]) - 1
		if at < 0 || g.next.state[at] == state && sameBits(g.next.moments[at*g.opt.Moments:][:len(moments)], moments) {
			return k
		}
	}
}

// sameBits reports whether two lists of the same length have the same numbers, bit by bit.
func sameBits(a, b []float64) bool {
	for i, x := range a {
		if math.Float64bits(x) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// rehash doubles the hash table.
func (g *Growth) rehash() {
	g.slots = make([]int32, 2*len(g.slots))
	for i, state := range g.next.state {
		g.slots[g.slot(state, g.next.moments[i*g.opt.Moments:][:g.opt.Moments])] = int32(i + 1)
	}
}

// Full returns an error that wraps ErrHistories if there are more histories than are kept, and none
// may be left out.
func (g *Growth) Full() error {
	if g.opt.Beyond == HistoriesRefuse && len(g.next.state) > g.opt.Most {
		return historyError(g.opt.Most)
	}
	return nil
}

// historyError is the error of an exact belief with more histories than its number.
type historyError int

// Error says how many there may be.
func (e historyError) Error() string {
	return "the exact belief has a Gaussian for each of more than " + strconv.Itoa(int(e)) +
		" histories of states; methods gpb2 and imm merge them, rbpf draws some, and modes keep the most probable ones"
}

// Unwrap returns ErrHistories.
func (historyError) Unwrap() error { return ErrHistories }

// LogP returns the logarithm of the probability of all evidence, given that of the evidence before
// the slice.
func (g *Growth) LogP(before float64) float64 { return before + g.most + math.Log(g.total) }

// Variance returns the variance, relative to its square, of the probability of the slice as an
// estimate by histories that were drawn.
func (g *Growth) Variance() float64 {
	return max(0, g.squares[2]/(g.total*g.total)-2*g.squares[1]/g.total+g.squares[0])
}

// Keep chooses the histories that go on, and makes their weights sum to 1. It reports whether it
// drew them, by r.
func (g *Growth) Keep(r *Rand) (drawn bool) {
	g.kept, g.share = g.kept[:0], g.share[:0]
	for i := range g.next.state {
		g.kept = append(g.kept, int32(i))
	}
	beyond := len(g.kept) > g.opt.Most
	if beyond && g.opt.Beyond == HistoriesDrop {
		g.drop()
	}
	total := 0.0
	for _, i := range g.kept {
		g.share = append(g.share, g.next.weight[i])
		total += g.next.weight[i]
	}
	for i := range g.share {
		g.share[i] /= total
	}
	if !beyond || g.opt.Beyond != HistoriesDraw {
		return false
	}
	g.draw(r)
	return true
}

// drop keeps those of the largest weights, the first ones of equal weights, in order.
func (g *Growth) drop() {
	g.random = append(g.random[:0], g.next.weight...)
	least := nthLargest(g.random, g.opt.Most)
	equal := g.opt.Most // how many of the least weight are kept
	for _, w := range g.next.weight {
		if w > least {
			equal--
		}
	}
	g.kept = g.kept[:0]
	for i, w := range g.next.weight {
		if w == least {
			equal--
		}
		if w > least || w == least && equal >= 0 {
			g.kept = append(g.kept, int32(i))
		}
	}
}

// nthLargest returns the nth largest of some numbers, n from 1 on, and changes their order: it is
// Hoare's selection.
func nthLargest(list []float64, n int) float64 {
	for len(list) > 1 {
		pivot, i, j := list[len(list)/2], 0, len(list)-1
		for i <= j {
			for list[i] > pivot {
				i++
			}
			for list[j] < pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j+1:
			list = list[:j+1]
		case n > i:
			list, n = list[i:], n-i
		default:
			return pivot
		}
	}
	return list[0]
}

// draw draws as many histories as are kept. One that is drawn several times is one of that weight.
func (g *Growth) draw(r *Rand) {
	n := len(g.kept)
	if cap(g.random) < n {
		g.random = make([]float64, n)
	}
	g.random = g.random[:n]
	Resample(g.kept[:g.opt.Most], g.opt.Resampling, g.share, g.random, r)
	to := 0
	for from := 0; from < g.opt.Most; to++ {
		i, times := g.kept[from], 1
		for from+times < g.opt.Most && g.kept[from+times] == i {
			times++
		}
		g.kept[to], g.share[to] = i, float64(times)/float64(g.opt.Most)
		from += times
	}
	g.kept, g.share = g.kept[:to], g.share[:to]
}

// Kept returns the number of histories that go on.
func (g *Growth) Kept() int { return len(g.kept) }

// History returns the state, the weight and the moments of history i of those that go on, and its
// place among all that followed. The caller must not change the moments.
func (g *Growth) History(i int) (state int32, weight float64, moments []float64, place int) {
	place = int(g.kept[i])
	return g.next.state[place], g.share[i], g.next.moments[place*g.opt.Moments:][:g.opt.Moments], place
}

// Store writes the histories that go on to the belief of a filter: of each the state, the weight
// and the moments. What remains of the belief becomes 0. It returns their number.
func (g *Growth) Store(belief []float64) int {
	rest := belief
	for i := range g.kept {
		state, weight, moments, _ := g.History(i)
		rest[0], rest[1] = float64(state), weight
		copy(rest[2:], moments)
		rest = rest[2+len(moments):]
	}
	clear(rest)
	return len(g.kept)
}
