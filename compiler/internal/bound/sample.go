package bound

import (
	"math"
	"math/rand/v2"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Estimate is an estimate of ln Z from weighted samples, with a confidence interval.
type Estimate struct {
	Log          float64 // ln of the mean weight; -Inf if all weights are zero
	Lower, Upper float64 // hold ln Z with probability Level
	Level        float64
	Samples      int
	ESS          float64 // the effective number of samples
}

// rows reads the tables of an elimination one row at a time, at the states of the other variables.
type rows struct {
	*elimination
	terms [][]term // by box: the messages that it receives
	state []int
	row   []float64
}

func newRows(e *elimination) *rows {
	s := &rows{elimination: e, terms: make([][]term, len(e.boxes)), state: make([]int, len(e.Card))}
	most := 0
	for i := range e.boxes {
		b := &e.boxes[i]
		most = max(most, e.Card[b.v])
		for _, k := range b.kids {
			last := len(b.scope) - 1
			s.terms[i] = append(s.terms[i], term{box: k.box, vars: b.scope[:last], stride: k.stride[:last], last: k.stride[last]})
		}
	}
	s.row = make([]float64, most)
	return s
}

// read sets the row to the row of box i, and returns it with the message of the box there.
func (s *rows) read(i int32) (row []float64, message float64) {
	b := &s.boxes[i]
	row = s.row[:s.Card[b.v]]
	copy(row, s.shift[i])
	at := 0
	for j, v := range b.scope[:len(b.scope)-1] {
		at = at*b.card[j] + s.state[v]
	}
	message = s.msg[i][at]
	if b.base != nil {
		for k := range row {
			row[k] += b.base[at*len(row)+k]
		}
	}
	for j := range s.terms[i] {
		x := &s.terms[i][j]
		table, at := s.msg[x.box], x.at(s.state)
		for k := range row {
			row[k] += table[at]
			at += x.last
		}
	}
	return row, message
}

// sampler draws joint states from the distribution of an upper bound: each variable, given those
// after it in the order of elimination, from a mixture of what its boxes believe, by their weights.
// No weight of a sample exceeds the bound (Liu, Fisher and Ihler 2015).
type sampler struct {
	*rows
	mass  []float64   // by state: the probability in the mixture
	seen  [][]float64 // by variable and state: the weights of the samples, relative to the bound
	parts [][]float64 // by box: its part of the mixture at each of its joint states; nil without prepare
}

func newSampler(e *elimination) *sampler {
	s := &sampler{rows: newRows(e)}
	s.mass = make([]float64, len(s.row))
	for _, n := range e.Card {
		s.seen = append(s.seen, make([]float64, n))
	}
	return s
}

// conditional returns ln of box i's beliefs about the states of its variable, given the states of
// the others.
func (s *sampler) conditional(i int32) []float64 {
	row, message := s.read(i)
	for k := range row {
		if s.dead(s.boxes[i].v, k) || math.IsInf(message, -1) {
			row[k] = math.Inf(-1)
		} else {
			row[k] = (row[k] - message) / s.weight[i]
		}
	}
	return row
}

// prepare computes what all boxes believe once, for draws of many samples.
func (s *sampler) prepare() {
	s.parts = make([][]float64, len(s.boxes))
	for i := range s.boxes {
		v, w := s.boxes[i].v, s.weight[i]
		n, work := s.Card[v], s.buckets.Table(i)
		s.parts[i] = make([]float64, len(work))
		for j, x := range work {
			if m := s.msg[i][j/n]; !math.IsInf(m, -1) && !s.dead(v, j%n) {
				s.parts[i][j] = w * math.Exp((x-m)/w)
			}
		}
	}
}

// mix adds the part of box i in the mixture to mass.
func (s *sampler) mix(mass []float64, i int32) {
	if s.parts == nil {
		for k, x := range s.conditional(i) {
			mass[k] += s.weight[i] * math.Exp(x)
		}
		return
	}
	b, at := &s.boxes[i], 0
	for j, v := range b.scope[:len(b.scope)-1] {
		at = at*b.card[j] + s.state[v]
	}
	for k, p := range s.parts[i][at*len(mass):][:len(mass)] {
		mass[k] += p
	}
}

// draw draws a joint state and returns ln of its weight; -Inf if it is impossible.
func (s *sampler) draw(rng *rand.Rand) float64 {
	q := 0.0
	for i := len(s.order) - 1; i >= 0; i-- {
		v := s.order[i]
		mass, total := s.mass[:s.Card[v]], 0.0
		clear(mass)
		for _, b := range s.boxesOf[v] {
			s.mix(mass, b)
		}
		for _, p := range mass {
			total += p
		}
		if !(total > 0) {
			return math.Inf(-1)
		}
		s.state[v] = pick(mass, rng.Float64()*total)
		q += pgmrt.Ln(mass[s.state[v]] / total)
	}
	return s.Problem.Value(s.state) - q
}

// pick returns the first k at which the sum of mass exceeds x.
func pick(mass []float64, x float64) int {
	last := 0
	for k, p := range mass {
		if p <= 0 {
			continue
		}
		if last = k; x < p {
			return k
		}
		x -= p
	}
	return last // by rounding
}

// firstCheck is the number of samples from which on there is an interval.
const firstCheck = 64

// run draws up to most samples, or until stop reports true, and returns the estimate. Its interval
// holds at any number of samples at which stop reports true.
func (s *sampler) run(most int, level float64, rng *rand.Rand, stop func() bool) Estimate {
	out := Estimate{Log: math.Inf(-1), Lower: math.Inf(-1), Upper: s.value, Level: level}
	mean, squares := 0.0, 0.0
	var weights bets
	for n := 1; n <= most; n++ {
		if n&15 == 0 && stop() {
			break
		}
		log := min(0, s.draw(rng)-s.value)
		weights.add(log)
		x := math.Exp(log)
		d := x - mean
		mean += d / float64(n)
		squares += d * (x - mean)
		for v, k := range s.state {
			s.seen[v][k] += x
		}
		out.Samples, out.Log = n, pgmrt.Ln(mean)+s.value
	}
	if out.Samples >= firstCheck {
		lower, upper := weights.interval((1 - level) / 2)
		out.Lower, out.Upper = lower+s.value, upper+s.value
	}
	if n := float64(out.Samples); mean > 0 {
		out.ESS = n * n * mean * mean / (squares + n*mean*mean)
	}
	return out
}

// marginals returns the share of each state of each variable in the weights of the samples.
func (s *sampler) marginals() [][]float64 {
	for _, weights := range s.seen {
		normalize(weights)
	}
	return s.seen
}

// normalize divides numbers by their sum.
func normalize(x []float64) {
	total := 0.0
	for _, y := range x {
		total += y
	}
	for k := range x {
		x[k] /= total
	}
}

// beliefs returns the bound's beliefs about each variable: the mean of its boxes, by weight.
func (e *elimination) beliefs() [][]float64 {
	e.backward()
	out := make([][]float64, len(e.Card))
	var p part
	for v, boxes := range e.boxesOf {
		out[v] = make([]float64, e.Card[v])
		for _, i := range boxes {
			e.believe(&p, i)
			for k, x := range p.belief {
				out[v][k] += e.weight[i] * math.Exp(x)
			}
		}
		normalize(out[v])
	}
	return out
}
