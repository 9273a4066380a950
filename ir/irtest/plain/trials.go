package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// A logarithm below none counts as that of 0. A change must raise a score by more than tie to
// count.
const (
	none = ir.LogZero / 2
	tie  = 1e-11
)

// numbers are the numbers of a run of trials, in the order of ir.Chain.Run.
type numbers struct{ beta, weight, score, best, total, square, count, err *float64 }

func (m *Memory) run(s *ir.Trial) (n numbers) {
	for i, x := range []**float64{&n.beta, &n.weight, &n.score, &n.best, &n.total, &n.square, &n.count, &n.err} {
		*x = m.number(s.Run[i])
	}
	return n
}

// trial does what the kind says. The sums of a run, which TrialClear is to clear, begin at 0
// whenever a run begins; the step clears the lists alone.
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
		*n.weight = m.trialForward(s)
	case ir.AddScore:
		*n.score += m.trialScore(s)
	case ir.RejectZero:
		if m.trialScore(s) < none {
			*n.weight = ir.LogZero
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
		if *n.score > *n.best {
			*n.best = *n.score
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
				second[k] = math.Log(x)
				possible++
			}
		}
		*n.weight += math.Log(math.Max(possible, 1))
	}
}

func (m *Memory) trialForward(s *ir.Trial) (logWeight float64) {
	for i := range s.Levels {
		m.enter(&s.Levels[i].Row, 0) // where the variable stays if there is no weight
		w := m.weights(&s.Levels[i].Row)
		if sum(w) == 0 {
			return ir.LogZero
		}
		logWeight += math.Log(sum(w))
		m.enter(&s.Levels[i].Row, m.draw(w))
	}
	return logWeight
}

// trialScore adds up what rows hold for the present states.
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
		if math.IsInf(*n.beta, 1) {
			if logs[top]-logs[at] > tie {
				next = top
			}
		} else {
			w := make([]float64, len(logs))
			for k, x := range logs {
				if x > none {
					w[k] = math.Exp(*n.beta * (x - logs[top]))
				}
			}
			if next = m.draw(w); sum(w) == 0 { // nothing is possible
				next = at
			}
		}
		if next != at {
			*n.score += logs[next] - logs[at]
			m.enter(r, next)
		}
	}
}

// trialTabu works all rows out anew for each move, so that Near means nothing here.
func (m *Memory) trialTabu(s *ir.Trial, n numbers) {
	until := func(level int) []float64 { return m.Numbers[s.First[level]] }
	if *n.count == 0 {
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
			tabu := until(i)[k] > *n.count && *n.score+delta <= *n.best+tie
			if k == at || x < none || tabu || delta < gain {
				continue
			}
			if delta > gain {
				ties = 0
			}
			ties++
			if ties == 1 || m.Rand.Float64()*ties < 1 { // each of so many ties is as likely
				level, state, gain = i, k, delta
			}
		}
	}
	*n.count++
	if level < 0 {
		return
	}
	r := &s.Levels[level].Row
	until(level)[m.present(r)] = *n.count + *n.total
	m.enter(r, state)
	*n.score += gain
}

// trialAdd keeps sums relative to the largest weight so far.
func (m *Memory) trialAdd(s *ir.Trial, n numbers) {
	if *n.weight < none {
		return
	}
	if *n.weight > *n.best {
		by := math.Exp(*n.best - *n.weight)
		*n.best = *n.weight
		*n.total *= by
		*n.square *= by * by
		for i := range s.Vars {
			for k := range m.Numbers[s.First[i]] {
				m.Numbers[s.First[i]][k] *= by
				m.Numbers[s.Second[i]][k] *= by * by
			}
		}
	}
	x := math.Exp(*n.weight - *n.best)
	*n.total += x
	*n.square += x * x
	for i, v := range s.Vars {
		m.Numbers[s.First[i]][*m.state(v)] += x
		m.Numbers[s.Second[i]][*m.state(v)] += x * x
	}
}

// trialError is by the delta method: of a share p of the weights, the variance is the sum of
// (x (1[state] - p))^2 over the weights x, divided by the square of their sum.
func (m *Memory) trialError(s *ir.Trial, n numbers) {
	if *n.total == 0 {
		return
	}
	for i := range s.Vars {
		for k, x := range m.Numbers[s.First[i]] {
			p, own := x / *n.total, m.Numbers[s.Second[i]][k]
			squares := own*(1-p)*(1-p) + (*n.square-own)*p*p
			*n.err = math.Max(*n.err, math.Sqrt(math.Max(0, squares)) / *n.total)
		}
	}
}
