package pgmrt

import "math"

// aheadFloor is the share of the particles' own weights in the weights by which particles are
// chosen by a score, so that none is lost to a score that is too low.
const aheadFloor = .1

// lookAhead chooses particles by their weights times a score, an estimate of the density of the
// evidence on the slice given each: the mean weight of trial draws (Pitt and Shephard 1999,
// "Filtering via simulation: auxiliary particle filters"). The weights of those that are chosen are
// divided by what they were chosen by, so that estimates are as right as without. The sum of the
// scores varies with the particles of the slice before, as the sum of weights does without scores,
// which LogError takes into account.
func (c *Cloud) lookAhead(draw DrawParticle) error {
	most, score := math.Inf(-1), c.score
	clear(score)
	for k := range c.trials {
		log, _, err := draw(c, k/c.opt.Ahead)
		if err != nil {
			return err
		}
		c.trials[k], most = log, max(most, log)
	}
	for k, log := range c.trials {
		if !math.IsInf(most, -1) {
			score[k/c.opt.Ahead] += math.Exp(log - most)
		}
	}
	c.choose(score)
	return nil
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

// renewal is the memory of moves.
type renewal struct {
	work Cloud     // its new particles are candidates
	log  []float64 // of each particle: what its weight was multiplied by in the slice, over the gain

	candidates, spare sample
	pick, spareFrom   []int32
}

// newRenewal returns the memory of a renewal.
func newRenewal(o *CloudOptions) *renewal {
	n := o.Particles
	return &renewal{log: make([]float64, n), candidates: newSample(o), spare: newSample(o), pick: make([]int32, n), spareFrom: make([]int32, n)}
}

// Move moves the particles of the last slice one by one, so that those that were resampled from one
// are not equal: a resample-move step (Gilks and Berzuini 2001, "Following a moving target"). Each
// goes to a new draw of the slice from the particle before it with a probability that leaves the
// distribution of the slice given that particle and the evidence as it is. It does so, as many
// times as the options say, only if the effective sample size is too small. Only between Step and
// the next slice; the error is that of draw.
func (c *Cloud) Move(draw DrawParticle) error {
	if c.opt.Moves == 0 || EffectiveSize(c.now.weight) >= float64(c.opt.Enough*float64(c.opt.Particles)) {
		return nil
	}
	r := c.renewal
	r.begin(c)
	for range c.opt.Moves {
		for i := range c.from {
			log, certain, err := draw(&r.work, i)
			if err != nil {
				return err
			}
			r.offer(c, i, log, certain)
		}
	}
	c.rng = c.draw
	return nil
}

// begin resamples the belief of c.
func (r *renewal) begin(c *Cloud) {
	n := c.opt.Particles
	r.work = *c
	Resample(r.pick, c.opt.Resampling, c.now.weight, c.scratch, &c.rng)
	kept, from := r.spare, r.spareFrom
	for i, k := range r.pick {
		kept.set(i, &c.now, int(k), &c.opt)
		r.log[i] = Ln(c.now.weight[k] / c.share[k])
		kept.weight[i], from[i] = 1/float64(n), c.from[k]
	}
	r.work.now, r.work.next, r.work.from, c.draw = c.next, r.candidates, from, c.rng
	r.spare, r.spareFrom = c.now, c.from
	c.now, c.from = kept, from
}

// set makes particle i a copy of particle k of another sample.
func (s *sample) set(i int, from *sample, k int, o *CloudOptions) {
	copy(s.states[i*o.States:][:o.States], from.states[k*o.States:][:o.States])
	copy(s.values[i*o.Values:][:o.Values], from.values[k*o.Values:][:o.Values])
	if s.certain != nil {
		s.certain[i] = from.certain[k]
	}
}

// offer moves particle i of c to its candidate, which has these weights, or leaves it.
func (r *renewal) offer(c *Cloud, i int, log, certain float64) {
	u := c.draw.Float64()
	if !(log > cloudNone) || c.now.certain != nil && c.now.certain[i] != certain || Ln(u) >= log-c.gain-r.log[i] {
		return
	}
	if r.work.next.reaches(i, &c.opt) {
		c.now.set(i, &r.work.next, i, &c.opt)
		r.log[i] = log - c.gain
	}
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
