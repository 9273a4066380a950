package bound

import (
	"math"
	"slices"
	"time"
)

// The rounds of improve: shifts and weights move by the whole distance at first, and by half after
// a round that made the bound worse. patience is the number of rounds in a row that may gain less
// than a relative leastGain.
const (
	leastGain = 1e-5
	leastStep = 1. / 64
	patience  = 3
)

// improve tightens a bound by up to some rounds, until it no longer moves or stop reports true. The
// tables are those of the best bound afterwards. It returns the number of rounds.
func (e *elimination) improve(rounds int, stop func() bool) int {
	e.step, e.rate = 0, 0
	e.forward()
	if !e.splits() {
		return 0
	}
	best := e.settings()
	done, stale, step, rate := 0, 0, 1.0, 0.0
	for ; done < rounds && stale < patience && step >= leastStep && !stop(); done++ {
		e.step = step
		begin := time.Now()
		e.backward()
		e.forward()
		gain := e.gain(best.value)
		rate = max(0, gain) / time.Since(begin).Seconds()
		switch {
		case !(gain >= 0):
			e.restore(best)
			step /= 2
		case gain > leastGain*(1+math.Abs(e.value)):
			best, stale = e.settings(), 0
		default:
			best, stale = e.settings(), stale+1
		}
	}
	if stale < patience && step >= leastStep {
		e.rate = rate
	}
	e.restore(best)
	return done
}

// gain returns by how much the bound is better than an earlier value.
func (e *elimination) gain(than float64) float64 {
	switch {
	case e.value == than:
		return 0
	case e.sense == lower:
		return e.value - than
	}
	return than - e.value
}

// settings are the parameters of a bound and its value.
type settings struct {
	weight []float64
	shift  [][]float64
	value  float64
}

func (e *elimination) settings() settings {
	s := settings{weight: slices.Clone(e.weight), value: e.value}
	for _, x := range e.shift {
		s.shift = append(s.shift, slices.Clone(x))
	}
	return s
}

// restore sets parameters and computes the tables that belong to them.
func (e *elimination) restore(s settings) {
	copy(e.weight, s.weight)
	for i, x := range s.shift {
		copy(e.shift[i], x)
	}
	e.step = 0
	e.forward()
}
