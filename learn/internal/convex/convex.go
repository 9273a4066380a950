// Package convex minimises a smooth convex function plus an L1 penalty over many variables: L-BFGS,
// and OWL-QN if there is a penalty.
//
// It uses values and gradients, and no second derivatives. If the function is not convex, it finds
// a local minimum near the start.
//
// It does not wrap gonum/optimize, which has no OWL-QN and cannot resume from a checkpoint. The
// kernels of gonum also sum in a different order on each processor, and models must not depend on
// the machine that learns them; hence the plain loops of dot and add.
//
// Sources: Nocedal and Wright 2006, Numerical optimization, algorithm 7.4, for the two loops;
// Andrew and Gao 2007, Scalable training of L1-regularized log-linear models, for orthants and the
// pseudo-gradient.
package convex

import "math"

// Options sets the penalty and the stopping rules.
type Options struct {
	L1        []float64   // penalty per unit of each variable's absolute value; nil for none
	Steps     int         // most steps
	Tolerance float64     // Minimise ends after a step whose relative fall of the objective is below this
	Longest   float64     // how far a variable may move in one step; 0 for any length
	Stop      func() bool // called before each step; true ends the minimisation; nil for never
}

// memory is the number of past steps from which L-BFGS builds a direction.
const memory = 7

// backtracks bounds how often one step is halved.
const backtracks = 30

// Minimise moves x to where f plus the penalty is least, and returns that value. f returns its
// value at x, infinite if it has none, and writes its gradient. x always ends at the best point
// seen.
func Minimise(f func(x, gradient []float64) float64, x []float64, o Options) float64 {
	m := New(f, x, o)
	for m.Next() {
	}
	return m.value
}

// New returns a minimiser at x, for callers that look at each step. Minimise is for the others.
func New(f func(x, gradient []float64) float64, x []float64, o Options) *Minimiser {
	n := len(x)
	m := &Minimiser{
		o: o, f: f, x: x, gradient: make([]float64, n),
		next: make([]float64, n), nextGradient: make([]float64, n),
		slope: make([]float64, n), step: make([]float64, n),
	}
	m.value = m.objective(x, m.gradient)
	return m
}

// Next makes a step and reports whether there may be another. If it finds no lower point, x stays.
func (m *Minimiser) Next() bool {
	if m.steps >= m.o.Steps || m.o.Stop != nil && m.o.Stop() {
		return false
	}
	m.steps++
	m.pseudo()
	m.direct()
	fall, ok := m.search(m.value)
	if !ok && len(m.pairs) > 0 { // a direction from memory may be bad; drop the memory and try the gradient
		m.pairs = m.pairs[:0]
		m.direct()
		fall, ok = m.search(m.value)
	}
	if !ok {
		return false
	}
	m.value -= fall
	return fall > m.o.Tolerance*max(1, math.Abs(m.value))
}

// Minimiser is a minimisation under way.
type Minimiser struct {
	o                  Options
	f                  func(x, gradient []float64) float64
	x, gradient        []float64
	next, nextGradient []float64
	slope              []float64 // the gradient with the penalty; at a kink, the subgradient of least size
	step               []float64
	pairs              []pair
	value              float64
	steps              int
}

// pair is a past step with the change of the gradient along it.
type pair struct {
	s, y []float64
	rho  float64
}

// objective returns f plus the penalty.
func (m *Minimiser) objective(x, gradient []float64) float64 {
	value := m.f(x, gradient)
	for i, c := range m.o.L1 {
		value += c * math.Abs(x[i])
	}
	if math.IsNaN(value) {
		return math.Inf(1)
	}
	return value
}

// pseudo sets slope to the pseudo-gradient.
func (m *Minimiser) pseudo() {
	copy(m.slope, m.gradient)
	for i, c := range m.o.L1 {
		switch g := m.gradient[i]; {
		case m.x[i] > 0:
			m.slope[i] = g + c
		case m.x[i] < 0:
			m.slope[i] = g - c
		case g+c < 0:
			m.slope[i] = g + c
		case g-c > 0:
			m.slope[i] = g - c
		default:
			m.slope[i] = 0
		}
	}
}

// direct sets step to the search direction: minus the slope times the inverse Hessian that the
// remembered steps estimate.
func (m *Minimiser) direct() {
	d := m.step
	for i, g := range m.slope {
		d[i] = -g
	}
	alpha := make([]float64, len(m.pairs))
	for k := len(m.pairs) - 1; k >= 0; k-- {
		p := &m.pairs[k]
		alpha[k] = p.rho * dot(p.s, d)
		add(d, -alpha[k], p.y)
	}
	if k := len(m.pairs) - 1; k >= 0 {
		p := &m.pairs[k]
		scale := 1 / (p.rho * dot(p.y, p.y))
		for i := range d {
			d[i] *= scale
		}
	} else if size := math.Sqrt(dot(d, d)); size > 1 {
		for i := range d {
			d[i] /= size
		}
	}
	for k := range m.pairs {
		p := &m.pairs[k]
		add(d, alpha[k]-p.rho*dot(p.y, d), p.s)
	}
	if m.o.L1 == nil {
		return
	}
	for i := range d {
		if d[i]*m.slope[i] >= 0 {
			d[i] = 0
		}
	}
}

// search halves the step until the objective falls enough (Armijo's rule) within the orthant, moves
// x there and returns the fall of the objective.
func (m *Minimiser) search(value float64) (fall float64, ok bool) {
	down := dot(m.step, m.slope)
	if !(down < 0) {
		return 0, false
	}
	length := m.first()
	for range backtracks {
		for i, x := range m.x {
			m.next[i] = x + length*m.step[i]
			if m.o.L1 != nil && m.o.L1[i] > 0 && m.next[i]*m.orthant(i) < 0 {
				m.next[i] = 0
			}
		}
		if to := m.objective(m.next, m.nextGradient); to <= value+1e-4*length*down {
			m.remember()
			copy(m.x, m.next)
			m.gradient, m.nextGradient = m.nextGradient, m.gradient
			return value - to, true
		}
		length /= 2
	}
	return 0, false
}

// first returns the initial step length of a search: 1, or less if a variable would move too far.
func (m *Minimiser) first() float64 {
	length := 1.0
	if m.o.Longest > 0 {
		for _, d := range m.step {
			length = min(length, m.o.Longest/math.Abs(d))
		}
	}
	return length
}

// orthant returns the sign that a variable may have in this step.
func (m *Minimiser) orthant(i int) float64 {
	if m.x[i] != 0 {
		return m.x[i]
	}
	return -m.slope[i]
}

// remember keeps the step, unless the function is flat along it.
func (m *Minimiser) remember() {
	p := pair{s: make([]float64, len(m.x)), y: make([]float64, len(m.x))}
	for i := range p.s {
		p.s[i], p.y[i] = m.next[i]-m.x[i], m.nextGradient[i]-m.gradient[i]
	}
	if !p.curved() {
		return
	}
	if len(m.pairs) == memory {
		m.pairs = append(m.pairs[:0], m.pairs[1:]...)
	}
	m.pairs = append(m.pairs, p)
}

// curved reports whether the gradient changes along the step, and stores the curvature.
func (p *pair) curved() bool {
	curve := dot(p.s, p.y)
	p.rho = 1 / curve
	return curve > 1e-12*dot(p.y, p.y)
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func add(a []float64, by float64, b []float64) {
	for i, x := range b {
		a[i] += by * x
	}
}
