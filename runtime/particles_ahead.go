package pgmrt

import "math"

// Look begins a slice for which particles are chosen by trial draws. The caller draws a new
// particle for each trial, from particle [Cloud.TrialOf] of the belief, and calls Trial.
// [Cloud.BeginBy] then begins the slice.
func (c *Cloud) Look() *Rand {
	c.draw, c.chosen = c.rng, false
	for i := range c.from {
		c.from[i] = int32(i)
	}
	return &c.draw
}

// Trials returns the number of trial draws.
func (c *Cloud) Trials() int { return len(c.trials) }

// TrialOf returns the particle of a trial draw.
func (c *Cloud) TrialOf(k int) int { return k / c.opt.Ahead }

// Trial sets the logarithm of what trial draw k multiplies a weight by.
func (c *Cloud) Trial(k int, log float64) { c.trials[k] = log }

// aheadFloor is the share of the particles' own weights in the weights by which particles are
// chosen by a score, so that none is lost to a score that is too low.
const aheadFloor = .1

// BeginBy is Begin after Look. It chooses particles by their weights times a score, an estimate of
// the density of the evidence on the slice given each: the mean weight of its trial draws (Pitt and
// Shephard 1999, "Filtering via simulation: auxiliary particle filters"). The weights of those that
// are chosen are divided by what they were chosen by, so that estimates are as right as without.
// The sum of the scores varies with the particles of the slice before, as the sum of weights does
// without scores, which LogError takes into account.
func (c *Cloud) BeginBy() *Rand {
	most, score := math.Inf(-1), c.score
	clear(score)
	for _, log := range c.trials {
		most = max(most, log)
	}
	for k, log := range c.trials {
		if !math.IsInf(most, -1) {
			score[c.TrialOf(k)] += math.Exp(log - most)
		}
	}
	c.choose(score)
	return &c.draw
}

// choose chooses particles by their weights times a score of at least 0, which it changes.
func (c *Cloud) choose(score []float64) {
	total := 0.0
	for i, w := range c.now.weight {
		score[i] = float64(w * score[i])
		total += score[i]
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		copy(score, c.now.weight)
		total = 1
	}
	c.ahead = 0
	for i, w := range c.now.weight {
		score[i] /= total
		off := score[i] - w
		c.ahead += float64(off * off)
		score[i] = float64((1-aheadFloor)*score[i]) + float64(aheadFloor*w)
	}
	n := float64(c.opt.Particles)
	if EffectiveSize(score) >= float64(c.opt.Enough*n) {
		copy(c.share, c.now.weight)
		return
	}
	Resample(c.from, c.opt.Resampling, score, c.scratch, &c.draw)
	for i, k := range c.from {
		c.share[i] = c.now.weight[k] / float64(score[k]*n)
	}
	c.chosen = true
}

// Renewal moves the particles of the last slice one by one, so that those that were resampled from
// one are not equal: a resample-move step (Gilks and Berzuini 2001, "Following a moving target").
// Each goes to a new draw of the slice from the particle before it with a probability that leaves
// the distribution of the slice given that particle and the evidence as it is.
type Renewal struct {
	work   Cloud // its new particles are candidates
	of     *Cloud
	log    []float64 // of each particle: what its weight was multiplied by in the slice, up to a factor
	factor float64   // ln of that factor
	moved  int

	candidates, spare sample
	pick, spareFrom   []int32
}

// newRenewal returns the memory of a renewal.
func newRenewal(o *CloudOptions) *Renewal {
	n := o.Particles
	return &Renewal{log: make([]float64, n), candidates: newSample(o), spare: newSample(o), pick: make([]int32, n), spareFrom: make([]int32, n)}
}

// Renew resamples the belief if its effective sample size is too small, and returns how its
// particles move; nil if it is large enough. Gain is what the slice has added to LogP, without the
// scale of End. Only between End and the next slice.
func (c *Cloud) Renew(gain float64) *Renewal {
	n := c.opt.Particles
	if EffectiveSize(c.now.weight) >= float64(c.opt.Enough*float64(n)) {
		return nil
	}
	r := c.renewal
	r.of, r.factor, r.moved, r.work = c, gain, 0, *c
	Resample(r.pick, c.opt.Resampling, c.now.weight, c.scratch, &c.rng)
	kept, from := r.spare, r.spareFrom
	for i, k := range r.pick {
		kept.set(i, &c.now, int(k), &c.opt)
		r.log[i] = Ln(c.now.weight[k] / c.share[k])
		kept.weight[i], from[i] = 1/float64(n), c.from[k]
	}
	r.work.now, r.work.next, r.work.from, r.work.draw = c.next, r.candidates, from, c.rng
	r.spare, r.spareFrom = c.now, c.from
	c.now, c.from = kept, from
	return r
}

// set makes particle i a copy of particle k of another sample.
func (s *sample) set(i int, from *sample, k int, o *CloudOptions) {
	copy(s.states[i*o.States:][:o.States], from.states[k*o.States:][:o.States])
	copy(s.values[i*o.Values:][:o.Values], from.values[k*o.Values:][:o.Values])
	if s.certain != nil {
		s.certain[i] = from.certain[k]
	}
}

// Draws returns the generator that draws candidates.
func (r *Renewal) Draws() *Rand { return &r.work.draw }

// Candidates returns the cloud whose new particles are candidates.
func (r *Renewal) Candidates() *Cloud { return &r.work }

// Offer moves particle i to its candidate, with the arguments of Weigh, or leaves it.
func (r *Renewal) Offer(i int, log, certain float64) {
	u := r.work.draw.Float64()
	c := r.of
	if !(log > cloudNone) || c.now.certain != nil && c.now.certain[i] != certain || Ln(u) >= log-r.factor-r.log[i] {
		return
	}
	if !r.work.next.reaches(i, &c.opt) {
		return
	}
	c.now.set(i, &r.work.next, i, &c.opt)
	r.log[i] = log - r.factor
	r.moved++
}

// reaches reports whether the values of particle i are within reach of their squares.
func (s *sample) reaches(i int, o *CloudOptions) bool {
	for _, x := range s.values[i*o.Values:][:o.Values] {
		if !(math.Abs(x) < 0x1p499) {
			return false
		}
	}
	return true
}

// End ends the moves, and returns how many there were.
func (r *Renewal) End() int {
	r.of.rng = r.work.draw
	return r.moved
}

// From returns the particle of the slice before that particle i of the belief went on from.
func (c *Cloud) From(i int) int { return int(c.from[i]) }
