package bound

import (
	"math"
	"slices"
	"time"
)

// The rounds of improve: shifts and weights move by the whole distance at first, and by half after
// a round that made the bound worse. patience is the number of rounds in a row that may gain less
// than a relative minGain.
const (
	minGain  = 1e-5
	minStep  = 1. / 64
	patience = 3
)

// An elimination with momentum goes on in the direction of its last rounds: by momentumGrowth of
// the way more from round to round, up to maxMomentum, and from nothing again after a round that
// made the bound worse. Rounds without it are as good in the end, after two to three times as many.
const (
	momentumGrowth = .1
	maxMomentum    = .6
	stepGrowth     = 1.1 // after a round that made it better
)

// improve tightens a bound by up to some rounds, until it no longer moves or stop reports true. The
// tables hold the best bound afterwards. It returns the number of rounds.
func (e *elimination) improve(rounds int, stop func() bool) int {
	e.step, e.rate = 0, 0
	e.forward()
	if !e.splits() {
		return 0
	}
	best := e.settings()
	done, stale, step, rate, ahead := 0, 0, 1.0, 0.0, 0.0
	for ; done < rounds && stale < patience && step >= minStep && !stop(); done++ {
		e.step = step
		begin := time.Now()
		e.backward()
		e.forward()
		gain := e.gain(best.value)
		rate = max(0, gain) / time.Since(begin).Seconds()
		if !(gain >= 0) {
			e.restore(best)
			if ahead == 0 {
				step /= 2
			}
			ahead = 0
			continue
		}
		before := best
		best = e.settings()
		if stale++; gain > minGain*(1+math.Abs(e.value)) {
			stale = 0
		}
		if e.momentum {
			e.push(before, best, ahead)
			ahead, step = min(maxMomentum, ahead+momentumGrowth), min(1, stepGrowth*step)
		}
	}
	if stale < patience && step >= minStep {
		e.rate = rate
	}
	e.restore(best)
	return done
}

// push moves shifts and weights by a share of the way that they took between two rounds. Shifts of
// a bucket keep the sum 0, and weights the sum 1.
func (e *elimination) push(from, to settings, share float64) {
	for v, boxes := range e.boxesOf {
		if share == 0 || len(boxes) < 2 || e.Max[v] {
			continue
		}
		total, last := 0.0, boxes[len(boxes)-1]
		for _, b := range boxes {
			e.weight[b] = max(minWeight, to.weight[b]*math.Pow(to.weight[b]/from.weight[b], share))
			total += e.weight[b]
		}
		for _, b := range boxes {
			e.weight[b] /= total
		}
		for k := range e.shift[last] {
			sum := 0.0
			for _, b := range boxes[:len(boxes)-1] {
				e.shift[b][k] += share * (to.shift[b][k] - from.shift[b][k])
				sum += e.shift[b][k]
			}
			e.shift[last][k] = -sum
		}
	}
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
