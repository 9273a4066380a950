package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// row returns, for each joint state of the drawn variables of a row, the last fastest, the numbers
// of its tables and trees, one operand after another.
func (m *Memory) row(r *ir.Row) (numbers [][]float64) {
	for _, at := range m.joint(r.Axes) {
		states := map[int]int{}
		for i, a := range r.Axes {
			states[int(a.Var)] = at[i]
		}
		var list []float64
		for _, v := range r.In {
			list = append(list, *m.element(v, at))
		}
		for i := range r.Trees {
			list = append(list, m.leaf(&r.Trees[i], states))
		}
		numbers = append(numbers, list)
	}
	return numbers
}

// leaf returns the number at the leaf of a decision tree for the present states.
func (m *Memory) leaf(t *ir.TreeView, states map[int]int) float64 {
	at := 0
	if len(t.Nodes) > 0 {
		next := int32(0)
		for next >= 0 {
			n := &t.Nodes[next]
			next = n.Next[states[int(n.Var)]]
		}
		at = int(-1 - next)
	}
	if t.Child >= 0 {
		at += states[int(t.Child)]
	}
	return m.Numbers[t.Leaves][at]
}

// weights returns the products of a row.
func (m *Memory) weights(r *ir.Row) []float64 {
	var out []float64
	for _, list := range m.row(r) {
		x := 1.0
		for _, y := range list {
			x *= y
		}
		out = append(out, x)
	}
	return out
}

// logs returns the sums of a row of logarithms.
func (m *Memory) logs(r *ir.Row) []float64 {
	var out []float64
	for _, list := range m.row(r) {
		out = append(out, sum(list))
	}
	return out
}

// drawn returns the axes of the drawn variables of a row.
func drawn(r *ir.Row) []ir.Axis {
	n, _ := r.Drawn()
	return r.Axes[:n]
}

// states returns the states of the drawn variables at joint state i.
func states(r *ir.Row, i int) []int {
	axes := drawn(r)
	out := make([]int, len(axes))
	for k := len(axes) - 1; k >= 0; k-- {
		out[k] = i % axes[k].Size
		i /= axes[k].Size
	}
	return out
}

// present returns the number of the present joint state of the drawn variables.
func (m *Memory) present(r *ir.Row) (i int) {
	for _, a := range drawn(r) {
		i = i*a.Size + int(*m.state(a.Var))
	}
	return i
}

// enter sets the drawn variables to joint state i.
func (m *Memory) enter(r *ir.Row, i int) {
	for k, a := range drawn(r) {
		*m.state(a.Var) = int32(states(r, i)[k])
	}
}

// resample ignores Scaled, since a power of two changes no share. Weights below 2^-1000 count as
// zero.
func (m *Memory) resample(s *ir.Resample) {
	m.Scratch[s.Weights] = true
	w := m.weights(&s.Row)
	choice, total := m.present(&s.Row), sum(w)
	if total >= 0x1p-1000 {
		choice = m.draw(w)
		for i := range w {
			w[i] /= total
		}
	} else {
		clear(w)
		w[choice] = 1
	}
	for i, share := range w {
		for k, at := range states(&s.Row, i) {
			if s.Tallies[k] != ir.NoSpan {
				m.Numbers[s.Tallies[k]][at] += share
			}
		}
	}
	m.enter(&s.Row, choice)
}

// findStart draws level after level. At a level without a state left it goes back, and the state
// that the variable of that level has is never tried again until an earlier one has changed. It
// does not give up: the programs of tests are small.
func (m *Memory) findStart(s *ir.FindStart) {
	left := make([][]float64, len(s.Levels)) // by level: the weights of the states not ruled out
	fresh := true
	for level := 0; level < len(s.Levels); {
		l := &s.Levels[level]
		m.Scratch[l.Weights] = true
		if fresh {
			m.enter(&l.Row, 0) // the variable's state if the search ends here
			left[level] = m.weights(&l.Row)
		}
		if sum(left[level]) > 0 {
			m.enter(&l.Row, m.draw(left[level]))
			level, fresh = level+1, true
			continue
		}
		if level = l.Back; level < 0 {
			*m.number(s.Outcome) = 0
			return
		}
		left[level][m.present(&s.Levels[level].Row)] = 0
		fresh = false
	}
	*m.number(s.Outcome) = 1
}

// batches is the number of batches of a chain, half of them in each half.
const batches = 20

// still is the variance below which numbers count as equal: such a variance can be the rounding
// error of a difference of squares.
const still = 1e-14

func (m *Memory) updateStats(s *ir.UpdateStats) {
	batch, half, total, square := m.Numbers[s.Stats.Batch], m.Numbers[s.Stats.Half], m.Numbers[s.Stats.Total], m.Numbers[s.Stats.Square]
	within, between := m.Numbers[s.Stats.Within], m.Numbers[s.Stats.Between]
	switch s.Kind {
	case ir.StatsClear:
		for _, id := range s.Stats.All() {
			clear(m.Numbers[*id])
		}
	case ir.StatsBatch:
		for i := range batch {
			mean := batch[i] * *m.number(s.Run.Share)
			half[i], total[i], square[i], batch[i] = half[i]+mean, total[i]+mean, square[i]+float64(mean*mean), 0
		}
	case ir.StatsHalf:
		for i := range half {
			p := half[i] / (batches / 2)
			within[i], between[i], half[i] = within[i]+float64(p*(1-p)), between[i]+float64(p*p), 0
		}
	case ir.StatsHalfReal:
		mean := half[0] / (batches / 2)
		within[0] += math.Max(0, half[1]/(batches/2)-float64(mean*mean))
		between[0] += mean * mean
		clear(half)
	case ir.StatsRun:
		for i := range total {
			p := total[i] / (batches * *m.number(s.Run.Chains))
			m.diagnose(s, moments{p, p * (1 - p), square[i], within[i], between[i]}, 1, still)
		}
	case ir.StatsRunReal:
		n := batches * *m.number(s.Run.Chains)
		mean := total[0] / n
		total[0], total[1] = mean, math.Max(0, total[1]/n-float64(mean*mean))
		if same := still * math.Max(1, mean*mean); total[1] > same {
			m.diagnose(s, moments{mean, total[1], square[0], within[0], between[0]}, total[1], same)
		}
	}
}

// moments holds sums over the runs of all chains, for one quantity.
type moments struct {
	mean, variance float64 // over all sweeps
	square         float64 // the sum of the squares of the batch means
	within         float64 // the sum of the variances within halves of chains
	between        float64 // the sum of the squared means of halves of chains
}

// diagnose updates split R-hat, the effective sample size and the largest standard error by one
// quantity. Standard errors are relative to the square root of unit. Variances up to same count as
// 0.
func (m *Memory) diagnose(s *ir.UpdateStats, x moments, unit, same float64) {
	chains, length := *m.number(s.Run.Chains), *m.number(s.Run.Length)
	rhat, ess, residual := m.number(s.Run.RHat), m.number(s.Run.ESS), m.number(s.Run.Error)
	n := batches * chains
	if ofBatches := x.square/n - float64(x.mean*x.mean); ofBatches > same {
		ofMean := ofBatches / (n - 1)
		*residual = math.Max(*residual, math.Sqrt(ofMean/unit))
		*ess = math.Min(*ess, x.variance/ofMean)
	}
	halves := 2 * chains
	ofHalves := (x.between - float64(halves*float64(x.mean*x.mean))) / (halves - 1)
	inHalf := x.within / halves
	sweeps := length * (batches / 2)
	switch {
	case ofHalves <= same:
	case inHalf <= same:
		*rhat = math.Inf(1)
	default:
		*rhat = math.Max(*rhat, math.Sqrt((sweeps-1)/sweeps+ofHalves/inHalf))
	}
}
