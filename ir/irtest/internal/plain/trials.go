package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Logarithms up to none count as ln 0, and a gain of a score counts if it exceeds tie.
const (
	none = ir.LogZero / 2
	tie  = 1e-11
)

// numbers holds the numbers of a run of trials.
type numbers = ir.TrialNumbers[*float64]

func (m *Memory) run(s *ir.Trial) (n numbers) {
	for i, x := range n.All() {
		*x = m.number(*s.Run.All()[i])
	}
	return n
}

// trial executes a step of the given kind. The caller of a run sets its sums to zero; ClearSums
// clears only First and Second.
func (m *Memory) trial(s *ir.Trial) {
	n := m.run(s)
	for i := range s.Levels {
		m.Scratch[s.Levels[i].Weights] = true
	}
	switch s.Kind {
	case ir.TakeLogs:
		m.trialLogs(s, n)
	case ir.ClearSums:
		for i := range s.Vars {
			clear(m.Numbers[s.First[i]])
			clear(m.Numbers[s.Second[i]])
		}
	case ir.DrawForward:
		*n.Weight = m.trialForward(s)
	case ir.AddScore:
		*n.Score += m.trialScore(s)
	case ir.RejectZero:
		if m.trialScore(s) < none {
			*n.Weight = ir.LogZero
		}
	case ir.DrawTempered:
		m.trialTemper(s, n)
	case ir.TabuMove:
		m.trialTabu(s, n)
	case ir.AddWeight:
		m.trialAdd(s, n)
	case ir.MeasureError:
		m.trialError(s, n)
	case ir.KeepBest:
		if *n.Score > *n.Best {
			*n.Best = *n.Score
			for i, v := range s.Vars {
				*m.number(s.First[i]) = float64(*m.state(v))
			}
		}
	case ir.RestoreBest:
		for i, v := range s.Vars {
			*m.state(v) = int32(*m.number(s.First[i]))
		}
	}
}

func (m *Memory) trialLogs(s *ir.Trial, n numbers) {
	for i := range s.Vars {
		possible, second := 0.0, m.Numbers[s.Second[i]]
		for k, x := range m.Numbers[s.First[i]] {
			second[k] = ir.LogZero
			if x > 0 {
				second[k] = pgmrt.Ln(x)
				possible++
			}
		}
		*n.Weight += pgmrt.Ln(math.Max(possible, 1))
	}
}

func (m *Memory) trialForward(s *ir.Trial) (logWeight float64) {
	for i := range s.Levels {
		m.enter(&s.Levels[i].Row, 0) // the variable's state if all weights are 0
		w := m.weights(&s.Levels[i].Row)
		if sum(w) == 0 {
			return ir.LogZero
		}
		logWeight += pgmrt.Ln(sum(w))
		m.enter(&s.Levels[i].Row, m.draw(w))
	}
	return logWeight
}

// trialScore sums the rows at the present states.
func (m *Memory) trialScore(s *ir.Trial) (score float64) {
	for i := range s.Levels {
		r := &s.Levels[i].Row
		score += m.logs(r)[m.present(r)]
	}
	return score
}

func (m *Memory) trialTemper(s *ir.Trial, n numbers) {
	for i := range s.Levels {
		r := &s.Levels[i].Row
		logs, at := m.logs(r), m.present(r)
		top := at
		for k, x := range logs {
			if x > logs[top] {
				top = k
			}
		}
		next := at
		if math.IsInf(*n.Beta, 1) {
			if logs[top]-logs[at] > tie {
				next = top
			}
		} else {
			w := make([]float64, len(logs))
			for k, x := range logs {
				if x > none {
					w[k] = math.Exp(*n.Beta * (x - logs[top]))
				}
			}
			if next = m.draw(w); sum(w) == 0 { // nothing is possible
				next = at
			}
		}
		if next != at {
			*n.Score += logs[next] - logs[at]
			m.enter(r, next)
		}
	}
}

// trialTabu computes all rows anew for each move, so that Near is not needed.
func (m *Memory) trialTabu(s *ir.Trial, n numbers) {
	until := func(level int) []float64 { return m.Numbers[s.First[level]] }
	if *n.Count == 0 {
		for i := range s.Levels {
			clear(until(i))
		}
	}
	level, state, gain, ties := -1, 0, math.Inf(-1), 0.0
	for i := range s.Levels {
		r := &s.Levels[i].Row
		logs, at := m.logs(r), m.present(r)
		for k, x := range logs {
			delta := x - logs[at]
			tabu := until(i)[k] > *n.Count && *n.Score+delta <= *n.Best+tie
			if k == at || x < none || tabu || delta < gain {
				continue
			}
			if delta > gain {
				ties = 0
			}
			ties++
			if ties == 1 || m.Rand.Float64()*ties < 1 { // each tie is equally likely
				level, state, gain = i, k, delta
			}
		}
	}
	*n.Count++
	if level < 0 {
		return
	}
	r := &s.Levels[level].Row
	until(level)[m.present(r)] = *n.Count + *n.Total
	m.enter(r, state)
	*n.Score += gain
}

// trialAdd keeps sums relative to the largest weight so far.
func (m *Memory) trialAdd(s *ir.Trial, n numbers) {
	if *n.Weight < none {
		return
	}
	if *n.Weight > *n.Best {
		by := math.Exp(*n.Best - *n.Weight)
		*n.Best = *n.Weight
		*n.Total *= by
		*n.Square *= by * by
		for i := range s.Vars {
			for k := range m.Numbers[s.First[i]] {
				m.Numbers[s.First[i]][k] *= by
				m.Numbers[s.Second[i]][k] *= by * by
			}
		}
	}
	x := math.Exp(*n.Weight - *n.Best)
	*n.Total += x
	*n.Square += x * x
	for i, v := range s.Vars {
		m.Numbers[s.First[i]][*m.state(v)] += x
		m.Numbers[s.Second[i]][*m.state(v)] += x * x
	}
}

// trialError uses the delta method: the variance of a share p of the weights is the sum of (x
// (1[state] - p))^2 over the weights x, divided by the square of their sum.
func (m *Memory) trialError(s *ir.Trial, n numbers) {
	if *n.Total == 0 {
		return
	}
	for i := range s.Vars {
		for k, x := range m.Numbers[s.First[i]] {
			p, own := x / *n.Total, m.Numbers[s.Second[i]][k]
			squares := own*(1-p)*(1-p) + (*n.Square-own)*p*p
			*n.Error = math.Max(*n.Error, math.Sqrt(math.Max(0, squares)) / *n.Total)
		}
	}
}
