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

// Growth collects what the histories before a slice lead to, by Grow. End or Keep then chooses
// those that go on.
//
// Histories with the same state and moments, bit by bit, are one: this happens if the real
// variables are observed, since an observed variable has exactly its value.
type Growth struct {
	posteriors
	opt     HistoryOptions
	next    historyTable
	most    float64    // weights are relative to exp(most)
	squares [3]float64 // sums of u², uw and w² of the weights u before the slice and w after it

	kept   []int32 // places in next of the histories that go on
	share  []float64
	sum    float64   // of the weights of those that go on
	random []float64 // scratch of Resample, and weights that drop sorts

	recalls bool
	from    int32        // the history before the slice that was entered last
	ways    []historyWay // in which the histories of next came about, if g recalls them
}

// historyWay is an edge to a history of a list.
type historyWay struct {
	place int32
	edge  HistoryEdge
}

// NewGrowth returns the memory of steps, with room for a number of histories that follow from those
// of a slice; more of them allocate.
func NewGrowth(opt HistoryOptions, room int) *Growth {
	g := &Growth{posteriors: *newPosteriors(opt.Cards), opt: opt, next: newHistoryTable(opt.Moments, room)}
	g.kept, g.share = make([]int32, 0, room), make([]float64, 0, room)
	if opt.Beyond != HistoriesRefuse {
		g.random = make([]float64, 0, max(room, opt.Most))
	}
	return g
}

// Recall makes g note from now on how histories come about, or not any more.
func (g *Growth) Recall(on bool) { g.recalls = on }

// reset begins a slice.
func (g *Growth) reset() {
	g.empty()
	g.next.reset()
	g.ways, g.from = g.ways[:0], 0
	g.most, g.squares = math.Inf(-1), [3]float64{}
}

// enter enters a history with the logarithm of its weight after the slice and the weight that it
// had before. It returns its weight relative to those of the others, 0 if it does not count, and
// what the weights so far were multiplied by.
func (g *Growth) enter(log, before float64) (weight, by float64) {
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
	g.posteriors.begin(weight)
	return weight, by
}

// rescale multiplies the weights so far.
func (g *Growth) rescale(by float64) {
	g.multiply(by)
	for i := range g.next.weight {
		g.next.weight[i] *= by
	}
	for i := range g.ways {
		g.ways[i].edge.Weight *= by
	}
	g.squares[1] *= by
	g.squares[2] *= by * by
}

// leave adds all histories that follow from the last one that was entered. The probabilities are
// those of the elements that leave the slice; of moments, the first number of each element comes
// first, then the second of each.
func (g *Growth) leave(probabilities, moments []float64) {
	for k, p := range probabilities {
		if w := p * g.weight; w > 0 {
			g.add(k, len(probabilities), w, moments)
		}
	}
}

// add adds the history of one of n elements, of which those of a joint state are together. If there
// is one with the same state and moments, its weight grows instead, or with Best is the larger one.
func (g *Growth) add(element, n int, weight float64, moments []float64) {
	for at := element; at < len(moments); at += n {
		g.next.moments = append(g.next.moments, moments[at])
	}
	place, isNew := g.next.place(int32(element / (n / g.opt.States)))
	better := isNew || weight > g.next.weight[place]
	if g.opt.Best {
		g.next.weight[place] = max(g.next.weight[place], weight)
	} else {
		g.next.weight[place] += weight
	}
	if g.recalls {
		g.recall(historyWay{int32(place), HistoryEdge{g.from, int32(element), weight}}, isNew, better)
	}
}

// recall notes how a history came about: all ways, or with Best the better one.
func (g *Growth) recall(x historyWay, isNew, better bool) {
	switch {
	case isNew || !g.opt.Best:
		g.ways = append(g.ways, x)
	case better:
		g.ways[x.place] = x
	}
}

// full returns an error that wraps ErrHistories if there are more histories than are kept, and none
// may be left out.
func (g *Growth) full() error {
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

// HistoryState is what a filter that keeps histories holds beside them.
type HistoryState struct {
	Size     int     // histories
	Variance float64 // the relative variance of the estimate of P
	Sampled  bool    // some were drawn
	Rand     Rand
}

// End chooses the histories that go on after Grow, and returns the logarithm of the probability of
// all evidence, given that of the evidence before the slice. It updates what a filter holds beside
// the histories.
func (g *Growth) End(s *HistoryState, before float64) float64 {
	if s.Sampled {
		s.Variance += g.variance()
	}
	s.Sampled = g.Keep(&s.Rand) || s.Sampled
	s.Size = len(g.kept)
	return before + g.most + Ln(g.total)
}

// variance returns the variance, relative to its square, of the probability of the slice as an
// estimate by histories that were drawn.
func (g *Growth) variance() float64 {
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
	g.sum = total
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

// LogKept returns the logarithm of the sum of the weights of the histories that go on, by which
// Keep divides them.
func (g *Growth) LogKept() float64 { return g.most + Ln(g.sum) }

// appendTo appends the histories that go on to a list: of each the state, the weight and the
// moments.
func (g *Growth) appendTo(list []float64) []float64 {
	for i, place := range g.kept {
		list = append(append(list, float64(g.next.state[place]), g.share[i]), g.next.at(int(place))...)
	}
	return list
}

// Store writes the histories that go on to the belief of a filter, whose other numbers become 0.
func (g *Growth) Store(belief []float64) { clear(belief[len(g.appendTo(belief[:0])):]) }
