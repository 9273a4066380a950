package pgmrt

import "math"

// SteadySteps is the number of steps that a Steady holds, and the length of the longest cycle that
// it finds.
const SteadySteps = 16

// Steady holds steps of Kalman filters whose covariances come again. Gains depend on the
// covariances of the belief before a step and on which variables are observed alone. If the same
// variables are observed for long, the covariances settle, or, as rounded numbers do, go round a
// short cycle. A step from covariances that a Steady holds takes its gains from there, and has the
// results of a step that computes them, to the last bit. The filters of an engine share one.
type Steady struct {
	places []int32 // of covariances among the numbers of a belief
	last   uint64  // serial number of the step that was added last
	steps  [SteadySteps]steadyStep
}

// steadyStep is a step that a Steady holds, at the place that its serial number has modulo
// SteadySteps.
type steadyStep struct {
	serial uint64      // 0 if there is no step yet
	next   uint64      // the step whose covariances before are those after this one; 0 if not known
	then   *steadyStep // that step
	seen   uint64      // which variables were observed, a bit each
	gains  []float64
	before []float64 // covariances
}

// Phase says where a filter is among the steps of a Steady. The zero Phase is nowhere.
type Phase struct {
	of   *Steady     // nil if it is nowhere
	step *steadyStep // the step whose covariances before are those of the belief,
	at   uint64      // if this is its serial number
	one  uint64      // bits of one covariance after a step before
	sum  uint64      // sum of the bits of all covariances then
	age  int32       // steps since then; negative while it waits
	due  int32       // steps to add, now that the covariances were those of a step before
	lost int32       // how often the step that it came to was replaced by those of other filters
}

// NewSteady returns a Steady without steps, for beliefs with covariances at the given places and
// steps with so many numbers of gains.
func NewSteady(places []int32, gains int) *Steady {
	s := &Steady{places: places}
	for i := range s.steps {
		s.steps[i].gains, s.steps[i].before = make([]float64, gains), make([]float64, len(places))
	}
	return s
}

// Gains returns the gains of the next step of a filter that observes the given variables, or nil if
// s does not hold them. The step must then end with Phase.Advance.
func (s *Steady) Gains(p *Phase, seen uint64) []float64 {
	if p.of == s && p.step.serial == p.at && p.step.seen == seen && p.step.next != 0 {
		return p.step.gains
	}
	return nil
}

// Advance moves a filter a step on that took its gains from a Steady. It returns the covariances
// after the step, or nil if they are those before.
func (p *Phase) Advance() []float64 {
	t := p.step
	if t.next == p.at {
		return nil
	}
	p.step, p.at = t.then, t.next
	return p.step.before
}

// enter puts a filter before the step with a serial number.
func (s *Steady) enter(p *Phase, serial uint64) {
	p.of, p.step, p.at = s, &s.steps[serial%SteadySteps], serial
}

// Skip notes a step that took no gains, and reports whether there is nothing more to do. One is the
// last covariance after it. If Skip returns false, Due is to note the step.
func (p *Phase) Skip(one float64) bool {
	if p.of != nil || p.due != 0 || uint32(p.age) >= SteadySteps-1 || p.one == math.Float64bits(one) {
		return false
	}
	p.age++
	return true
}

// Due notes the belief after a step that took no gains from s, and reports whether the step should
// be added: whether its covariances, or those of a few steps before, are those of an earlier step.
// They are compared with those of one step, which is another one after each SteadySteps, so that a
// cycle is found after one round of it. A filter whose steps are replaced by those of other ones
// waits, each time longer, before it adds more.
func (s *Steady) Due(p *Phase, belief []float64) bool {
	if p.of == s && p.step.serial != p.at {
		p.due, p.age, p.lost = 0, -SteadySteps<<p.lost, min(p.lost+1, 8)
	} else if p.of == s {
		p.lost = 0
	}
	p.of = nil
	if p.due > 0 {
		p.due--
		return true
	}
	if p.age < 0 {
		p.age++
		return false
	}
	one := math.Float64bits(belief[s.places[len(s.places)-1]])
	if one == p.one && s.sum(belief) == p.sum {
		p.due = 2*SteadySteps - 1 // a round to add steps, and one to find those that follow
		return true
	}
	if p.age++; p.age >= SteadySteps {
		p.one, p.sum, p.age = one, s.sum(belief), 0
	}
	return false
}

// sum returns the sum of the bits of the covariances of a belief.
func (s *Steady) sum(belief []float64) (sum uint64) {
	for _, k := range s.places {
		sum += math.Float64bits(belief[k])
	}
	return sum
}

// Has reports whether s holds the step from the covariances of a belief that observes the given
// variables.
func (s *Steady) Has(belief []float64, seen uint64) bool {
	_, ok := s.find(belief, seen)
	return ok
}

// find returns the serial number of the step from the covariances of a belief that observes the
// given variables, or else of one from the same covariances, or 0. It reports whether it found the
// first.
func (s *Steady) find(belief []float64, seen uint64) (step uint64, ok bool) {
	for i := range s.steps {
		t := &s.steps[i]
		if t.serial == 0 || !s.same(t, belief) {
			continue
		}
		if t.seen == seen {
			return t.serial, true
		}
		step = t.serial
	}
	return step, false
}

// same reports whether the covariances before a step are those of a belief, bit for bit.
func (s *Steady) same(t *steadyStep, belief []float64) bool {
	for i, x := range t.before {
		if math.Float64bits(x) != math.Float64bits(belief[s.places[i]]) {
			return false
		}
	}
	return true
}

// Add adds a step from the covariances of a belief, in place of the oldest one.
func (s *Steady) Add(belief []float64, seen uint64, gains []float64) {
	s.last++
	t := &s.steps[s.last%SteadySteps]
	for i := range s.steps {
		if s.steps[i].next == t.serial {
			s.steps[i].next = 0
		}
	}
	t.serial, t.next, t.then, t.seen = s.last, 0, nil, seen
	for i, k := range s.places {
		t.before[i] = belief[k]
	}
	copy(t.gains, gains)
}

// Link notes that a step that s holds led from one belief to another, and puts the filter before
// the step that follows, if s holds that.
func (s *Steady) Link(p *Phase, before, after []float64, seen uint64) {
	next, _ := s.find(after, seen)
	if step, ok := s.find(before, seen); ok && next != 0 {
		t := &s.steps[step%SteadySteps]
		t.next, t.then = next, &s.steps[next%SteadySteps]
	}
	if next != 0 {
		s.enter(p, next)
	}
}
