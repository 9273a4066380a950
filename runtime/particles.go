package pgmrt

import "math"

// CloudOptions are the options of a filter by particles. Zero for Particles or Seed stands for its
// default; the others have none.
type CloudOptions struct {
	Particles  int
	Seed       uint64
	Resampling Scheme
	Enough     float64 // resample if the effective sample size is below this share of the particles
	States     int     // discrete variables of a particle
	Values     int     // real variables of a particle, and further numbers that it carries
	Certain    bool    // whether an observed value may be certain for some particles, and have a density for others
	Ahead      int     // trial draws of a slice from each particle, by which those that go on are chosen
	Moves      int     // moves of each particle after a slice that left few which count
	// Spread is nil if all real variables are drawn. Otherwise it has, by real variable, the place
	// among the values of its variance given what is drawn, or 0 if the variable is drawn.
	Spread []int32
}

// cloudNone is the largest logarithm of a weight that counts as that of 0.
const cloudNone = -1e300 / 2

// Cloud is the belief of a particle filter: weighted samples of the variables of a slice. Step
// draws the next slice, by a function that sets the states and values of one new particle, and Move
// may move its particles.
type Cloud struct {
	opt       CloudOptions
	now, next sample
	from      []int32   // by new particle: the one that it goes on from
	share     []float64 // by new particle: its weight before the slice
	scratch   []float64 // of Resample
	start     Rand      // before slice 0
	rng, draw Rand      // after the last slice, and after what the next one has drawn
	n         int
	logP      float64
	spread    float64   // the relative variance of the estimate of P
	gain      float64   // what the last slice has added to logP, without the scale of the evidence
	chosen    bool      // particles were chosen for the slice by another weight than their own
	ahead     float64   // then, the part of the variance that the choice takes away from the slice
	trials    []float64 // logarithms of the weights of trial draws, those of one particle after another
	score     []float64 // by particle: their mean, up to a factor
	renewal   *renewal  // nil without moves
}

// sample is a set of weighted particles. Before End, weight holds logarithms.
type sample struct {
	states  []int32
	values  []float64
	weight  []float64
	certain []float64
}

func newSample(o *CloudOptions) sample {
	s := sample{states: make([]int32, o.Particles*o.States), values: make([]float64, o.Particles*o.Values), weight: make([]float64, o.Particles)}
	if o.Certain {
		s.certain = make([]float64, o.Particles)
	}
	return s
}

// MaxParticles bounds the memory of a cloud.
const MaxParticles = 1 << 24

// NewCloud returns a belief before slice 0. Zero fields of o take the values of d. A number of
// particles outside 1 to MaxParticles becomes the nearest bound.
func NewCloud(o, d CloudOptions) *Cloud {
	if o.Particles == 0 {
		o.Particles = d.Particles
	}
	if o.Seed == 0 {
		o.Seed = d.Seed
	}
	d.Particles, d.Seed = min(max(o.Particles, 1), MaxParticles), o.Seed
	c := &Cloud{opt: d, now: newSample(&d), next: newSample(&d), from: make([]int32, d.Particles),
		share: make([]float64, d.Particles), scratch: make([]float64, d.Particles)}
	if d.Ahead > 0 {
		c.trials, c.score = make([]float64, d.Particles*d.Ahead), make([]float64, d.Particles)
	}
	if d.Moves > 0 {
		c.renewal = newRenewal(&d)
	}
	c.start = *NewRand(d.Seed)
	c.Reset()
	return c
}

// Reset puts c before slice 0 again, with the seed that it had then.
func (c *Cloud) Reset() {
	c.n, c.logP, c.spread = 0, 0, 0
	c.rng = c.start
}

// Size returns the number of particles.
func (c *Cloud) Size() int { return c.opt.Particles }

// Clone returns a copy of c.
func (c *Cloud) Clone() *Cloud {
	d := NewCloud(c.opt, c.opt)
	d.Set(c)
	return d
}

// Slices returns the number of slices so far.
func (c *Cloud) Slices() int { return c.n }

// LogP returns the logarithm of the estimate of the probability, or density, of the evidence so
// far.
func (c *Cloud) LogP() float64 { return c.logP }

// LogError returns the standard error of LogP, which is estimated from the same particles and
// leaves out what resampling adds.
func (c *Cloud) LogError() float64 { return math.Sqrt(c.spread) }

// ESS returns the effective sample size: the number of particles of equal weight with the same
// variance of a mean. Before slice 0 it is 0.
func (c *Cloud) ESS() float64 {
	if c.n == 0 {
		return 0
	}
	return EffectiveSize(c.now.weight)
}

// EffectiveSize returns the effective sample size of weights that sum to 1.
func EffectiveSize(weight []float64) float64 {
	sum := 0.0
	for _, w := range weight {
		sum += float64(w * w)
	}
	return 1 / sum
}

// DrawParticle sets the states and values of new particle i of a cloud, by the generator
// [Cloud.Rand]. It returns the logarithm of what the weight is multiplied by, -1e300 or less for a
// weight of 0, and the number of observed values that are certain: of all particles, those with
// most of these count.
type DrawParticle func(c *Cloud, i int) (log, certain float64, err error)

// Rand returns the generator that draws particles. It is the same for all slices.
func (c *Cloud) Rand() *Rand { return &c.draw }

// Step draws the next slice and adds scale to the logarithm of its probability. The error is that
// of draw, or ErrParticles if no particle has any weight, or wraps ErrState if numbers are out of
// range. The belief is then what it was.
func (c *Cloud) Step(draw DrawParticle, scale float64) error {
	if err := c.begin(draw); err != nil {
		return err
	}
	for i := range c.next.weight {
		log, certain, err := draw(c, i)
		if err != nil {
			return err
		}
		c.next.weight[i] = log
		if c.next.certain != nil {
			c.next.certain[i] = certain
		}
	}
	return c.end(scale)
}

// begin begins a slice: it chooses the particle that each new one goes on from.
func (c *Cloud) begin(draw DrawParticle) error {
	c.draw, c.chosen = c.rng, false
	for i := range c.from {
		c.from[i] = int32(i)
	}
	if c.opt.Ahead > 0 && c.n > 0 {
		return c.lookAhead(draw)
	}
	if c.n > 0 && EffectiveSize(c.now.weight) >= c.opt.Enough*float64(c.opt.Particles) {
		copy(c.share, c.now.weight)
		return nil
	}
	for i := range c.share {
		c.from[i], c.share[i] = 0, 1/float64(c.opt.Particles)
	}
	if c.n > 0 {
		Resample(c.from, c.opt.Resampling, c.now.weight, c.scratch, &c.draw)
	}
	return nil
}

// Before returns the states and values of the particle that new particle i goes on from. There are
// none in slice 0.
func (c *Cloud) Before(i int) (states []int32, values []float64) {
	k := int(c.from[i])
	return c.now.states[k*c.opt.States:][:c.opt.States], c.now.values[k*c.opt.Values:][:c.opt.Values]
}

// New returns the states and values of new particle i, which the caller sets.
func (c *Cloud) New(i int) (states []int32, values []float64) {
	return c.next.states[i*c.opt.States:][:c.opt.States], c.next.values[i*c.opt.Values:][:c.opt.Values]
}

// end makes the new particles the belief.
func (c *Cloud) end(scale float64) error {
	most := c.heaviest()
	if !(most > cloudNone) {
		return ErrParticles
	}
	total := c.weigh(most)
	if !(total > 0 && total <= math.MaxFloat64) {
		return rangeError{}
	}
	square := c.divide(total)
	if !c.next.finite(c.opt.Values) {
		return rangeError{}
	}
	c.now, c.next = c.next, c.now
	c.rng = c.draw
	before := c.logP
	c.logP += scale + most + Ln(total)
	c.gain = c.logP - before - scale
	if c.spread += square; c.chosen {
		c.spread += c.ahead
	}
	c.n++
	return nil
}

// weigh replaces the logarithms of weights by weights, relative to exp(most), and returns their
// sum.
func (c *Cloud) weigh(most float64) (total float64) {
	logs := c.next.weight
	for i, w := range c.share[:len(logs)] {
		log := logs[i]
		logs[i] = 0
		if log > cloudNone && w > 0 {
			logs[i] = float64(w * expFalling(log-most))
			total += logs[i]
		}
	}
	return total
}

// divide divides the weights by their sum and returns the sum of the squares of what the slice has
// changed in them.
func (c *Cloud) divide(total float64) (square float64) {
	logs, share := c.next.weight, c.share
	even := 1 / float64(c.opt.Particles)
	for i, before := range share[:len(logs)] {
		if c.chosen { // all were chosen to weigh the same
			before = even
		}
		logs[i] /= total
		off := logs[i] - before
		square += float64(off * off)
	}
	return square
}

// heaviest returns the largest logarithm of a weight. It makes those -Inf of particles that other
// ones beat by more certain values.
func (c *Cloud) heaviest() float64 {
	logs, most, certain := c.next.weight, math.Inf(-1), -1.0
	if c.next.certain == nil {
		for i, w := range c.share[:len(logs)] {
			if log := logs[i]; log > most && w != 0 {
				most = log
			}
		}
		return most
	}
	for i, log := range logs {
		if !(log > cloudNone) || c.share[i] == 0 {
			continue
		}
		if x := c.next.certain[i]; x != certain {
			if x < certain {
				continue
			}
			most, certain = log, x
		}
		most = max(most, log)
	}
	for i, x := range c.next.certain {
		if x < certain {
			logs[i] = math.Inf(-1)
		}
	}
	return most
}

// finite reports whether the values of all particles with a weight are within reach of their
// squares.
func (s *sample) finite(values int) bool {
	const most = 0x1p499
	var squares [4]float64
	v := s.values
	for ; len(v) >= 4; v = v[4:] {
		squares[0] += float64(v[0] * v[0])
		squares[1] += float64(v[1] * v[1])
		squares[2] += float64(v[2] * v[2])
		squares[3] += float64(v[3] * v[3])
	}
	for k, x := range v {
		squares[k] += float64(x * x)
	}
	if squares[0]+squares[1]+squares[2]+squares[3] < most*most {
		return true
	}
	for i, w := range s.weight { // if a value is out of reach, its particle may have no weight
		for _, x := range s.values[i*values:][:values] {
			if w > 0 && !(math.Abs(x) < most) {
				return false
			}
		}
	}
	return true
}

// Probabilities sets out to the posterior of discrete variable k of the particles.
func (c *Cloud) Probabilities(k int, out []float64) {
	clear(out)
	for i, w := range c.now.weight {
		out[c.now.states[i*c.opt.States+k]] += w
	}
	AtMostOne(out)
}

// Moments returns the mean and the variance of real variable k of the particles.
func (c *Cloud) Moments(k int) (mean, variance float64) {
	for i, w := range c.now.weight {
		mean += float64(w * c.now.values[i*c.opt.Values+k])
	}
	for i, w := range c.now.weight {
		off := c.now.values[i*c.opt.Values+k] - mean
		variance += float64(w * float64(off*off))
	}
	if c.opt.Spread != nil && c.opt.Spread[k] > 0 {
		for i, w := range c.now.weight {
			variance += float64(w * c.now.values[i*c.opt.Values+int(c.opt.Spread[k])])
		}
	}
	return mean, variance
}

// Circular returns what Moments does for a circular variable: the mean direction, and the variance
// around it along the nearer way.
func (c *Cloud) Circular(k int, period float64) (mean, variance float64) {
	return circular(period, len(c.now.weight), func(i int) (x, w float64) { return c.now.values[i*c.opt.Values+k], c.now.weight[i] })
}

// circular returns the mean and the variance of n weighted values on a circle: of the values
// nearest to the direction of the sum of their unit vectors.
func circular(period float64, n int, at func(i int) (x, w float64)) (mean, variance float64) {
	var sin, cos, shift float64
	for i := range n {
		x, w := at(i)
		angle := 2 * math.Pi / period * x
		sin, cos = sin+float64(w*math.Sin(angle)), cos+float64(w*math.Cos(angle))
	}
	direction := period / (2 * math.Pi) * math.Atan2(sin, cos)
	for i := range n {
		x, w := at(i)
		shift += float64(w * math.Remainder(x-direction, period))
	}
	for i := range n {
		x, w := at(i)
		off := math.Remainder(x-direction, period) - shift
		variance += float64(w * float64(off*off))
	}
	return math.Remainder(direction+shift, period), variance
}

// NearestTo returns the number nearest to mean that is the same value as x of a circular variable.
func NearestTo(mean, x, period float64) float64 { return mean + math.Remainder(x-mean, period) }

// Particle returns the states, the values and the weight of particle i of the belief. The caller
// must not change them.
func (c *Cloud) Particle(i int) (states []int32, values []float64, weight float64) {
	return c.now.states[i*c.opt.States:][:c.opt.States], c.now.values[i*c.opt.Values:][:c.opt.Values], c.now.weight[i]
}

// Set makes c a copy of another cloud with the same numbers of variables.
func (c *Cloud) Set(from *Cloud) {
	if c.opt.Particles != from.opt.Particles {
		*c = *NewCloud(from.opt, from.opt)
	}
	c.opt, c.start, c.rng, c.n, c.logP, c.spread = from.opt, from.start, from.rng, from.n, from.logP, from.spread
	copy(c.now.states, from.now.states)
	copy(c.now.values, from.now.values)
	copy(c.now.weight, from.now.weight)
}
